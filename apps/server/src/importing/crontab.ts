import {
  bashStep,
  isSecretName,
  isVariableName,
  plainWords,
  type Variable,
  withInput,
} from './bash-step.ts';
import { type CrontabEntry, readCrontabLine } from './crontab-line.ts';
import { type Imported, type ImportedTrigger, nameFrom, playbookRun } from './imported.ts';
import { scheduleFault } from './schedule-fault.ts';

/** How a crontab is read. */
export interface CrontabOptions {
  /** What people call the file. */
  readonly file: string;
  /** Whether its lines name a user, as those of `/etc/crontab` do. */
  readonly hasUser: boolean;
}

const ALWAYS = [
  'cron starts a command also while the one before it runs, and makes up for nothing: policy.overlap: allow and',
  'policy.catchUp: none do the same. Commands run in the folder of the project, and end with run.timeout.',
];

/** Reads a crontab: a trigger for each command that can be carried over. Never throws. */
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
      notes.push(`${written.trim()}: ${place} was left out, since ${line.reason}.`);
    else if (line.kind === 'variable') state.set(line, place);
    else if (line.kind === 'entry') {
      const made = triggerOf(line.entry, state, { place, number: n + 1 });
      if (typeof made === 'string') notes.push(`${written.trim()}: ${place} was left out. ${made}`);
      else triggers.push(made);
    }
  }
  return { triggers, notes: triggers.length === 0 ? notes : [...notes, ...ALWAYS] };
}

const SYSTEM_PLACE = /(^|\/)etc\/(crontab|cron\.d\/[^/]+)$/;
const SYSTEM_HEAD = /^#.*\bdow\s+user(-name)?\s+command/m;
// Users that own jobs of packages, and whose names are those of no common command. What an option follows is a command.
const SYSTEM_ENTRY = /^(root|www-data|nobody|daemon|munin|logcheck|debian-\S+|_\S+)\s+[^-\s]/;

/** Whether a crontab looks like one of the system, each line of which names a user: by its path, its head or an entry. */
export function namesUsers(text: string, file: string): boolean {
  if (SYSTEM_PLACE.test(file) || SYSTEM_HEAD.test(text)) return true;
  return text.split(/\r?\n/).some((written) => {
    const line = readCrontabLine(written, false);
    return line.kind === 'entry' && SYSTEM_ENTRY.test(line.entry.command);
  });
}

/** What the variables of a crontab say of the lines below them. */
class Environment {
  readonly variables = new Map<string, string>();
  private readonly notes: string[];

  constructor(notes: string[]) {
    this.notes = notes;
  }

  set({ name, value }: Variable, place: string): void {
    const reason = whyLeft(name, value);
    if (reason !== null) {
      this.notes.push(`${name}: ${place} is not carried over: ${reason}.`);
      return;
    }
    if (name !== 'SHELL') this.variables.set(name, value);
    if (/^(CRON_)?TZ$/.test(name)) this.notes.push(zoneNote(name, value, place));
  }
}

// crontab(5) of Debian: the daemon runs all crontabs by its own zone, and has no variable that changes that.
function zoneNote(name: string, value: string, place: string): string {
  const isZone = scheduleFault('0 0 * * *', value) === null;
  const instead = isZone ? ` If your cron goes by ${name}, set timezone: ${value} in them.` : '';
  return `${name}: ${place} is set for the commands below it, as by Debian's cron; their schedules go by the zone of the service.${instead}`;
}

const LEFT: ReadonlyMap<string, string> = new Map([
  ['MAILTO', 'svc sends no mail of runs; notify in svc.config.yaml tells people of failures'],
  ['MAILFROM', 'svc sends no mail of runs'],
  ['RANDOM_DELAY', 'policy.jitter puts off the start of a trigger'],
  ['LOGNAME', 'agents have a user of their own'],
  ['USER', 'agents have a user of their own'],
]);

function whyLeft(name: string, value: string): string | null {
  if (name === 'SHELL') return /(^|\/)(ba)?sh$/.test(value) ? null : 'steps run in bash';
  const reason = LEFT.get(name) ?? null;
  if (reason !== null) return reason;
  if (!isVariableName(name)) return 'it is no name of a variable';
  return isSecretName(name)
    ? 'it may be a secret, and project files hold none; agents.env passes variables of the service on'
    : null;
}

interface Place {
  readonly place: string;
  readonly number: number;
}

/** The trigger of an entry, or why there is none. */
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
  const said = plainWords(`From ${place}.`);
  return {
    name,
    record: {
      trigger: { type: 'schedule', cron },
      run: playbookRun(`${said}\n\n${bashStep(script, given)}`),
      enabled: false,
    },
    comment: [
      `From ${place}.`,
      ...(user === null ? [] : [`It ran as ${user}; here it runs as the user of agents.`]),
      ...(input === null ? [] : ['What stood after % is its standard input.']),
      ...dayRule(cron),
    ],
  };
}

// crontab(5): what surprises people, and other programs than Debian's cron do otherwise.
function dayRule(cron: string): string[] {
  const [, , day = '*', , weekday = '*'] = cron.split(' ');
  if (day === '*' || weekday === '*') return [];
  const isEither = !day.startsWith('*') && !weekday.startsWith('*');
  return [
    isEither
      ? 'As with cron, it fires on days that match the day of the month or the weekday.'
      : "As with Debian's cron, it fires on days that match the day of the month and the weekday, since one begins with *; others may fire on more days.",
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

/** The name of the program that a command runs, as far as that can be seen. */
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
