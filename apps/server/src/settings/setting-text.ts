function inUnits(units: readonly (readonly [size: number, name: string])[]) {
  return (value: number): string => {
    const [size, name] = units.find(([size]) => value % size === 0) ?? [1, ''];
    return `${value / size}${name}`;
  };
}

const inDurations = inUnits([
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
]);

/** Formats milliseconds as a duration in the file: `90s`, `2h`, `0s`. */
export function durationText(value: number): string {
  return value === 0 ? '0s' : inDurations(value);
}

const inDays = inUnits([
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
]);

/** Formats milliseconds as an age in the file, in days if possible: `90d`, `36h`. */
export function ageText(value: number): string {
  return value === 0 ? '0s' : inDays(value);
}

/** Formats bytes as a size in the file: `2MiB`. */
export const bytesText: (value: number) => string = inUnits([
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
]);
