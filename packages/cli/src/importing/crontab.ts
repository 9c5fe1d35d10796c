import {
  bashStep,
  isSecretName,
  isVariableName,
  plainWords,
  type Variable,
  withInput,
} from './bash-step.ts';
import { type CrontabEntry, readCrontabLine } from './crontab-line.ts';
import {
  type Imported,
  type ImportedTrigger,
  nameFrom,
  playbookRun,
  scheduleFault,
} from './imported.ts';

/** Options for reading a crontab. */
export interface CrontabOptions {
  /** Name of the file in comments and notes. */
  readonly file: string;
  /** Whether its entries have a user, as in `/etc/crontab`. */
  readonly hasUser: boolean;
}

const ALWAYS = [
  'cron starts a command even if the previous one is still running, and never catches up. policy.overlap: allow and',
  'policy.catchUp: none do the same. Commands run in the project folder and are stopped at run.timeout.',
];

/** Converts the entries of a crontab to triggers, and lists what cannot be converted. Never throws. */
export function readCrontab(text: string, { file, hasUser }: CrontabOptions): Imported {
  const triggers: ImportedTrigger[] = [];
  const notes: string[] = [];
  const state = new Environment(notes);
  for (const [n, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const place = `line ${n + 1} of ${file}`;
    const line = readCrontabLine(written, hasUser);
    if (line.kind === 'fault')
      notes.push(`${written.trim()}: ${place} was not imported, because ${line.reason}.`);
    else if (line.kind === 'variable') state.set(line, place);
    else if (line.kind === 'entry') {
      const made = triggerOf(line.entry, state, { place, number: n + 1 });
      if (typeof made === 'string')
        notes.push(`${written.trim()}: ${place} was not imported. ${made}`);
      else triggers.push(made);
    }
  }
  return { triggers, notes: triggers.length === 0 ? notes : [...notes, ...ALWAYS] };
}

const SYSTEM_PLACE = /(^|\/)etc\/(crontab|cron\.d\/[^/]+)$/;
const SYSTEM_HEAD = /^#.*\bdow\s+user(-name)?\s+command/m;
// Users of packages whose names are not those of common commands. A command, not a user, is followed by an option.
const SYSTEM_ENTRY = /^(root|www-data|nobody|daemon|munin|logcheck|debian-\S+|_\S+)\s+[^-\s]/;

/** Whether a file is a system crontab, whose entries have a user, judging by its path, its header and its entries. */
export function namesUsers(text: string, file: string): boolean {
  if (SYSTEM_PLACE.test(file) || SYSTEM_HEAD.test(text)) return true;
  return text.split(/\r?\n/).some((written) => {
    const line = readCrontabLine(written, false);
    return line.kind === 'entry' && SYSTEM_ENTRY.test(line.entry.command);
  });
}

/** The variables that apply to the entries below them. */
class Environment {
  readonly variables = new Map<string, string>();
  private readonly notes: string[];

  constructor(notes: string[]) {
    this.notes = notes;
  }

  set({ name, value }: Variable, place: string): void {
    const reason = whyLeft(name, value);
    if (reason !== null) {
      this.notes.push(`${name}: ${place} was not imported: ${reason}.`);
      return;
    }
    if (name !== 'SHELL') this.variables.set(name, value);
    if (/^(CRON_)?TZ$/.test(name)) this.notes.push(zoneNote(name, value, place));
  }
}

// According to Debian's crontab(5), cron uses its own time zone for all crontabs, and no variable changes that.
function zoneNote(name: string, value: string, place: string): string {
  const isZone = scheduleFault('0 0 * * *', value) === null;
  const instead = isZone
    ? ` If your cron applies ${name} to schedules, set timezone: ${value} in the imported triggers.`
    : '';
  return `${name} (${place}) applies to the commands below it, as in Debian's cron; their schedules use the time zone of the service.${instead}`;
}

const LEFT: ReadonlyMap<string, string> = new Map([
  ['MAILTO', 'svc sends no mail about runs; use notify in svc.config.yaml for alerts'],
  ['MAILFROM', 'svc sends no mail about runs'],
  ['RANDOM_DELAY', 'use policy.jitter to delay the start of a trigger'],
  ['LOGNAME', 'agents run as their own user'],
  ['USER', 'agents run as their own user'],
]);

function whyLeft(name: string, value: string): string | null {
  if (name === 'SHELL') return /(^|\/)(ba)?sh$/.test(value) ? null : 'steps run in bash';
  const reason = LEFT.get(name) ?? null;
  if (reason !== null) return reason;
  if (!isVariableName(name)) return 'it is not a valid variable name';
  return isSecretName(name)
    ? 'it may be a secret, which must not be in project files; pass environment variables of the service with agents.env'
    : null;
}

interface Place {
  readonly place: string;
  readonly number: number;
}

/** The trigger for an entry, or the reason why there is none. */
function triggerOf(
  { cron, user, command, input }: CrontabEntry,
  { variables }: Environment,
  { place, number }: Place,
): ImportedTrigger | string {
  const fault = scheduleFault(cron, null);
  if (fault !== null) return fault;
  const script = input === null ? command : withInput(command, input);
  const given = [...variables].map(([name, value]) => ({ name, value }));
  const name = nameFrom(programOf(command), `cron-${number}`);
  const origin = plainWords(`From ${place}.`);
  return {
    name,
    record: {
      trigger: { type: 'schedule', cron },
      run: playbookRun(`${origin}\n\n${bashStep(script, given)}`),
      enabled: false,
    },
    comment: [
      `From ${place}.`,
      ...(user === null
        ? []
        : [`It ran as ${user}. Here it runs as the user that agents run as (agents.user).`]),
      ...(input === null ? [] : ['The text after % is its standard input.']),
      ...dayRule(cron),
    ],
  };
}

// Users often do not expect this rule of crontab(5), and other implementations of cron have a different one.
function dayRule(cron: string): string[] {
  const [, , day = '*', , weekday = '*'] = cron.split(' ');
  if (day === '*' || weekday === '*') return [];
  const isEither = !day.startsWith('*') && !weekday.startsWith('*');
  return [
    isEither
      ? 'As in cron, it fires on days that match the day of the month or the weekday.'
      : "As in Debian's cron, it fires on days that match both the day of the month and the weekday, because one starts with *. Other crons may fire on more days.",
  ];
}

const BEFORE_PROGRAMS = new Set([
  'sudo',
  'nice',
  'ionice',
  'nohup',
  'time',
  'exec',
  'env',
  'command',
  'test',
  '[',
  'cd',
]);

/** The likely name of the program that a command runs; empty if unknown. */
function programOf(command: string): string {
  const parts = command.split(/&&|\|\||;|\|/).map((part) => part.trim());
  for (const part of parts) {
    const words = part.split(/\s+/).filter((word) => !/^[A-Za-z_]\w*=|^-|^\d+$/.test(word));
    const at = words.findIndex((word) => !BEFORE_PROGRAMS.has(word));
    if (words[0] === 'cd' || words[0] === 'test' || words[0] === '[') continue;
    const word = (words[at] ?? '').replace(/["'(){}]/g, '');
    if (word !== '')
      return (word.split('/').at(-1) ?? '').replace(/\.(sh|bash|py|pl|rb|js|php)$/, '');
  }
  return '';
}
