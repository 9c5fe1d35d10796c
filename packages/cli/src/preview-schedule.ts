import { counted, createSystemClock, sentencesOf } from '@svc/core';
import { preview } from '@svc/ops';
import type { CommandContext } from './context.ts';
import { printResult } from './print-result.ts';
import { CommandError, type ExitCode } from './terminal.ts';
import { wholeNumber } from './whole-number.ts';

/** Explains a cron expression or interval, and lists its next fires. */
export async function runPreview(context: CommandContext): Promise<ExitCode> {
  const { options } = context;
  const text = context.arguments.join(' ').trim();
  const count = wholeNumber(options, 'count', { most: 100, absent: 5 });
  const timezone = typeof options['timezone'] === 'string' ? { timezone: options['timezone'] } : {};
  // One or two words that start with a digit are meant as an interval, even if it is invalid.
  const isInterval = /^[-+.\d]/.test(text) && text.split(/\s+/).length <= 2;
  const schedule = isInterval ? { interval: text } : { cron: text };
  const shown = preview(createSystemClock(), { ...schedule, ...timezone, count });
  if (!shown.ok) {
    const { issues, message } = shown.error;
    throw new CommandError(issues ? sentencesOf(issues, 'The schedule') : message);
  }
  const { description, firesPerDay, upcoming, timezone: zone } = shown.value;
  printResult(context, shown.value, [
    description,
    `${rateOf(firesPerDay)}${zone ? ` Zone: ${zone}.` : ''}`,
    ...upcoming.map((at) => `  ${localTime(at, zone)}  ${at}`),
  ]);
  return 0;
}

const DAYS_A_YEAR = 365.25;

// The shortest unit with at least one fire.
function rateOf(firesPerDay: number): string {
  const rounded = (count: number): number => Number(count.toPrecision(3));
  const units = [
    ['day', firesPerDay],
    ['week', firesPerDay * 7],
    ['year', firesPerDay * DAYS_A_YEAR],
  ] as const;
  for (const [unit, count] of units) {
    const runs = rounded(count);
    if (runs >= 1) return `About ${counted(runs, 'run')} a ${unit}.`;
  }
  return `About 1 run in ${rounded(1 / (firesPerDay * DAYS_A_YEAR))} years.`;
}

function localTime(at: string, zone: string | null): string {
  const options = { dateStyle: 'medium', timeStyle: 'long' } as const;
  const format = new Intl.DateTimeFormat(
    'en-GB',
    zone === null ? options : { ...options, timeZone: zone },
  );
  return format.format(new Date(at));
}
