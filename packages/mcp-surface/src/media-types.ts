const SEGMENTS = { ',': /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g, ';': /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g };
const ZERO = /^0(?:\.0*)?$/;
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const USUAL_ACCEPT: ReadonlySet<string> = new Set([
  `${JSON_TYPE}, ${STREAM_TYPE}`,
  `${JSON_TYPE},${STREAM_TYPE}`,
  `${STREAM_TYPE}, ${JSON_TYPE}`,
]);

/**
 * True if an Accept header lists both response types by name; a type with `q=0` does not count (RFC 9110, 12.5.1).
 */
export function acceptsBoth(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (USUAL_ACCEPT.has(header)) return true;
  const listed = new Set<string>();
  for (const range of split(header, ',')) {
    const [type = '', ...parameters] = split(range, ';');
    const weight = parameterOf(parameters, 'q')[0];
    if (weight === undefined || !ZERO.test(weight)) listed.add(type.toLowerCase());
  }
  return listed.has(JSON_TYPE) && listed.has(STREAM_TYPE);
}

/** True if a Content-Type header means JSON, and UTF-8 if it has a charset. */
export function isJson(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === JSON_TYPE) return true;
  const [type = '', ...parameters] = split(header, ';');
  const charsets = parameterOf(parameters, 'charset');
  return type.toLowerCase() === JSON_TYPE && charsets.every((one) => one.toLowerCase() === 'utf-8');
}

/** True if a Content-Encoding header means no encoding. */
export function isPlain(header: string | undefined): boolean {
  return header === undefined || header.trim().toLowerCase() === 'identity';
}

function split(header: string, separator: ',' | ';'): string[] {
  return [...header.matchAll(SEGMENTS[separator])].map(([segment]) => segment.trim());
}

function parameterOf(parameters: readonly string[], name: string): string[] {
  return parameters
    .map((parameter) => /^([^=\s]+)\s*=\s*(.*)$/s.exec(parameter))
    .filter((pair) => pair?.[1]?.toLowerCase() === name)
    .map((pair) => (pair?.[2] ?? '').replace(/^"(.*)"$/s, '$1'));
}
