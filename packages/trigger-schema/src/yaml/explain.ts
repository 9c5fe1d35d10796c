import { NOT_YAML, type TextFault } from './tokens.ts';

// Characters that look like a space but are not one in YAML.
const ODD_SPACE = '\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff';
const ODD_INDENT = new RegExp(`^[ \\t]*([${ODD_SPACE}])`);
const UNQUOTED = /(?:^|[\s{,])cron\s*:\s+([*@](?:[^#}]|\S#)*)/;

/**
 * Describes an indentation with other characters than spaces, as the rest of a sentence that begins with the name
 * of a file or field; null for any other text.
 */
export function indentFault(text: string): string | null {
  const [, space] = ODD_INDENT.exec(text) ?? [];
  if (space === undefined) return null;
  const code = `U+${space.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const name =
    space === '\u00a0' ? `a non-breaking space (${code})` : `${code}, which is not a space`;
  return `is indented with ${name}; use plain spaces.`;
}

/** Replaces the YAML errors that follow from common mistakes by a description of the mistake. */
export function explained(text: string, faults: readonly TextFault[]): TextFault[] {
  const said = new Map<number, TextFault>();
  for (const fault of faults) {
    const { start, line } = lineAt(text, fault.offset);
    const indent = oddIndent(text, start);
    if (indent !== null) {
      const before = [...said.values(), { offset: indent.offset, message: indent.message }];
      // After spaces it may also be text of a prompt.
      return indent.isCertain ? before : [...before, fault];
    }
    const cron = UNQUOTED.exec(line);
    const at = cron === null ? fault.offset : start + line.indexOf(cron[1] ?? '', cron.index);
    if (!said.has(at))
      said.set(at, cron === null ? fault : { offset: at, message: quoteIt(cron), plain: NOT_YAML });
  }
  return [...said.values()];
}

function lineAt(text: string, offset: number): { readonly start: number; readonly line: string } {
  // `lastIndexOf` takes a negative position for 0, and would find a newline that is the first character.
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return { start, line: text.slice(start, end < 0 ? undefined : end) };
}

interface OddIndent extends TextFault {
  readonly isCertain: boolean;
}

// YAML often reports only the line after such indentation.
function oddIndent(text: string, start: number): OddIndent | null {
  let found: OddIndent | null = null;
  for (let at = start; at > 0; at = lineAt(text, at - 1).start) {
    const { line } = lineAt(text, at);
    const message = indentFault(line);
    if (message === null && at !== start) break;
    if (message !== null) found = { offset: at, message, isCertain: !/^[ \t]/.test(line) };
  }
  return found;
}

function quoteIt([, value = '']: readonly string[]): string {
  // In a map on one line another field may follow.
  const written = value
    .replace(/,\s.*$/, '')
    .trim()
    .slice(0, 60);
  return `has a cron that begins with ${written[0]}, which has a special meaning in YAML; quote it: cron: "${written}".`;
}
