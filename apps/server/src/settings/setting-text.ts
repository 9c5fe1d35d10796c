const TIMES = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const;

function inUnits(units: readonly (readonly [size: number, name: string])[]) {
  return (value: number): string => {
    if (value === 0) return '0s';
    const [size, name] = units.find(([size]) => value % size === 0) ?? [1, ''];
    return `${value / size}${name}`;
  };
}

/** Formats milliseconds as a duration in the file: `90s`, `2h`, `0s`. */
export const durationText: (value: number) => string = inUnits(TIMES);

/** Formats milliseconds as an age in the file, in days if possible: `90d`, `36h`. */
export const ageText: (value: number) => string = inUnits([[86_400_000, 'd'], ...TIMES]);

/** Formats bytes, at least 1, as a size in the file: `2MiB`. */
export const bytesText: (value: number) => string = inUnits([
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
]);
