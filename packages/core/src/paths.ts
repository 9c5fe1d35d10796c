/** Joins path segments as `run.tools[2]`. */
export function joinPath(segments: readonly (string | number)[]): string {
  return segments
    .map((part, i) => (/^\d+$/.test(String(part)) ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');
}
