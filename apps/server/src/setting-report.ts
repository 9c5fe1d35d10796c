import type { Issue } from '@svc/core';
import { didYouMean } from '@svc/trigger-schema';

/** Collects the issues of a setting, by path below the setting. */
export interface SettingReport {
  (path: string, message: string): void;
  /** Records the unknown keys of a map. */
  unknown(path: string, map: object, known: readonly string[]): void;
}

/** Creates a report with its lists: errors, and unknown keys, which have no effect. */
export function createSettingReport(): {
  readonly issues: Issue[];
  readonly unknown: Issue[];
  readonly report: SettingReport;
} {
  const issues: Issue[] = [];
  const unknown: Issue[] = [];
  const note = (path: string, map: object, known: readonly string[]): void => {
    for (const key of Object.keys(map)) {
      if (known.includes(key)) continue;
      const place = path === '' ? key : `${path}.${key}`;
      unknown.push({ path: place, message: `is not a known setting.${didYouMean(key, known)}` });
    }
  };
  const report: SettingReport = Object.assign(
    (path: string, message: string): void => void issues.push({ path, message }),
    { unknown: note },
  );
  return { issues, unknown, report };
}
