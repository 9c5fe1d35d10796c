/** The requirements that a test file proves. */
export interface Proofs {
  /** Ids of requirements, once for each citation. */
  readonly ids: readonly string[];
  /** Malformed citations, each with its line. */
  readonly faults: readonly string[];
}

const CITING = /^\s*\/\/ proves: (\S.*)$/;
const ALMOST = /^\s*(?:\/\/|\/?\*).*\bproves?\s*:|^\s*\/\/\s*proves\b/i;
const TEST = /^\s*(?:it|test|describe)(?:\.each)?[(<]/;
const OFF =
  /\b(?:it|test|describe)(?:\.each)?\.(?:skip|todo|failing|only)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)(?:\.\w+)?\s*[(<`]/;

/**
 * Reads the lines `// proves: id, id` of a test file. They are directly above the test that proves the requirement. Several
 * lines may follow each other.
 */
export function proofsIn(text: string): Proofs {
  const lines = text.split('\n');
  const ids: string[] = [];
  const faults: string[] = [];
  lines.forEach((line, n) => {
    const cited = CITING.exec(line)?.[1];
    if (cited === undefined) {
      if (ALMOST.test(line)) faults.push(`line ${n + 1} is not written as "// proves: id, id"`);
      return;
    }
    ids.push(...cited.split(', '));
    const next = lines.slice(n + 1).find((other) => !CITING.test(other)) ?? '';
    if (!TEST.test(next)) faults.push(`line ${n + 1} is not directly above a test`);
  });
  if (ids.length > 0) {
    lines.forEach((line, n) => {
      if (OFF.test(line)) faults.push(`line ${n + 1} disables a test`);
    });
  }
  return { ids, faults };
}
