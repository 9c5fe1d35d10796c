import type { Setting } from '../data/service.ts';

/** Settings with a common name prefix. */
export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly (readonly [name: string, setting: Setting])[];
}

/** Groups settings by the first part of their names, in the order of the file; settings without a prefix come first. */
export function settingGroups(settings: Readonly<Record<string, Setting>>): SettingGroup[] {
  const groups = new Map<string, [string, Setting][]>([['general', []]]);
  for (const [name, setting] of Object.entries(settings)) {
    const title = name.includes('.') ? name.slice(0, name.indexOf('.')) : 'general';
    groups.set(title, [...(groups.get(title) ?? []), [name, setting]]);
  }
  return [...groups]
    .map(([title, list]) => ({ title, settings: list }))
    .filter((group) => group.settings.length > 0);
}

/** Formats a setting: "60m", "10,000", "true", "a, b", "none". A port is not grouped: 7420. */
export function valueText(name: string, value: Setting['value']): string {
  if (value === null && name.startsWith('retention.')) return 'no limit';
  if (value === null || value === '') return 'none';
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'number' && !/port$/i.test(name)) return value.toLocaleString('en-GB');
  return String(value);
}
