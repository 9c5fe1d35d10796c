import type { Issue } from '@svc/core';
import { didYouMean } from './did-you-mean.ts';

/** Collects what is found in the value of a setting, by its path below the setting. */
export interface SettingReport {
  (path: string, message: string): void;
  /** Takes down the keys of a map that are not known. */
  unknown(path: string, map: object, known: readonly string[]): void;
}

/** Makes a report, and the lists that it fills: what is wrong, and what is not known and has no effect. */
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
