/** A parsed line of a crontab. */
export type CrontabLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  | { readonly kind: 'entry'; readonly entry: CrontabEntry }
  | { readonly kind: 'fault'; readonly reason: string };

/** A command and its schedule. */
export interface CrontabEntry {
  /** A cron expression with five fields. */
  readonly cron: string;
  /** The user of the command in a system crontab; otherwise null. */
  readonly user: string | null;
  readonly command: string;
  /** The lines of its standard input; null if it has none. */
  readonly input: readonly string[] | null;
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@every_minute': '* * * * *',
};

const VARIABLE = /^(?:"([^"]*)"|'([^']*)'|([A-Za-z_][^\s=]*))\s*=(.*)$/s;

/**
 * Parses a line of a crontab as documented in Debian's crontab(5).
 *
 * @param hasUser whether it is a system crontab, whose entries have a user
 */
export function readCrontabLine(text: string, hasUser: boolean): CrontabLine {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return { kind: 'nothing' };
  if (/\p{Cc}/u.test(line.replaceAll('\t', ' '))) return fault('it contains control characters');
  const variable = VARIABLE.exec(line);
  if (variable !== null) {
    const [, double, single, bare, value = ''] = variable;
    return {
      kind: 'variable',
      name: double ?? single ?? bare ?? '',
      value: unquoted(value.trim()),
    };
  }
  const fields = line.startsWith('@') ? 1 : 5;
  const words = hasUser ? fields + 1 : fields;
  const found = new RegExp(`^((?:\\S+\\s+){${words}})(\\S.*)$`).exec(line);
  if (found === null) return fault(missingParts(line, fields, hasUser));
  const [, before = '', rest = ''] = found;
  const parts = before.trim().split(/\s+/);
  const time = parts.slice(0, fields).join(' ');
  const cron = fields === 5 ? time : NICKNAMES[time.toLowerCase()];
  if (cron === undefined) return fault(nicknameFault(time));
  const user = hasUser ? (parts[fields] ?? null) : null;
  return { kind: 'entry', entry: { cron, user, ...splitInput(rest) } };
}

function fault(reason: string): CrontabLine {
  return { kind: 'fault', reason };
}

function missingParts(line: string, fields: number, hasUser: boolean): string {
  const word = line.split(/\s+/)[0] ?? '';
  if (fields === 1 && NICKNAMES[word.toLowerCase()] === undefined) return nicknameFault(word);
  const rest = hasUser ? 'user and command' : 'command';
  if (fields === 1) return `it has no ${rest} after ${word}`;
  return `it does not have five time fields${hasUser ? ', a user' : ''} and a command`;
}

function nicknameFault(word: string): string {
  if (word.toLowerCase() === '@reboot')
    return '@reboot is not supported: no trigger fires when the machine or svc starts';
  return `${word} is not a time that svc supports`;
}

// The first unescaped percent sign ends the command; further ones separate the lines of its standard input.
function splitInput(text: string): Pick<CrontabEntry, 'command' | 'input'> {
  const [command = '', ...input] = text
    .split(/(?<!\\)%/)
    .map((part) => part.replaceAll('\\%', '%'));
  return { command: command.trim(), input: input.length === 0 ? null : input };
}

function unquoted(value: string): string {
  const found = /^(["'])(.*)\1$/.exec(value);
  return found?.[2] ?? value;
}
