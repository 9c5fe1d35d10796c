import { Help } from 'commander';
import { type Command, GROUPS, type Option, OVERVIEW, optionsOf, usageOf } from './command.ts';

type Row = readonly [term: string, about: string];

const MAX_COLUMNS = 110;

/** The help that lists all commands. */
export function overviewOf(commands: readonly Command<never>[], columns: number | null): string {
  return laidOut(columns, [
    'svc starts agent turns on schedules and events.',
    'Usage: svc COMMAND [options]',
    ...GROUPS.map((group) => ({
      title: group,
      rows: commands.filter((one) => one.group === group).map(overviewRow),
    })),
    { title: 'Options', rows: OVERVIEW.map(optionRow) },
    'Exit codes: 0 success, 1 failure, 2 usage error.',
  ]);
}

/** The help of one command. */
export function helpOf(command: Command<never>, columns: number | null): string {
  const { name, description, json } = command;
  const forms = usageOf(command).map((form) => `svc ${name} ${form} [options]`.replace('  ', ' '));
  return laidOut(columns, [
    `Usage: ${forms.join('\n       ')}`,
    description,
    { title: 'Options', rows: optionsOf(command).map(optionRow) },
    ...(json === undefined ? [] : [`With --json: ${json}`]),
  ]);
}

function overviewRow(command: Command<never>): Row {
  const { name, summary, overview = usageOf(command)[0] ?? '' } = command;
  return [`${name} ${overview}`.trimEnd(), summary];
}

function optionRow({ flags, about }: Option): Row {
  return [flags, about];
}

interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

function laidOut(columns: number | null, parts: readonly (string | Section)[]): string {
  const help = new Help();
  const width = Math.min(columns ?? MAX_COLUMNS, MAX_COLUMNS);
  help.helpWidth = width;
  const rows = parts.flatMap((part) => (typeof part === 'string' ? [] : part.rows));
  const terms = Math.max(...rows.map(([term]) => term.length));
  const texts = parts.map((part) => {
    if (typeof part === 'string') return help.boxWrap(joined(part), width);
    const lines = part.rows.map(([term, about]) => help.formatItem(term, terms, about, help));
    return [part.title, ...lines].join('\n');
  });
  return texts.join('\n\n');
}

// Source lines of a paragraph are joined; indented lines stay.
function joined(text: string): string {
  return text.trim().replace(/(?<=\S)\n(?=\S)/g, ' ');
}
