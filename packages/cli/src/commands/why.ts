import { isoTime } from '@svc/core';
import type { Command } from '../command.ts';
import { parseInstantText } from '../instant-text.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';
import { UsageError } from '../terminal.ts';

/** Explains what was decided about a scheduled time of a trigger, and by whom. */
export const why: Command = {
  name: 'why',
  group: 'Inspect',
  summary: 'show why a trigger did or did not fire',
  overview: 'PROJECT TRIGGER [--at T]',
  arguments: { PROJECT: 'project', TRIGGER: 'trigger' },
  takes: 'a project and a trigger: svc why hello heartbeat --at 03:00.',
  options: {
    '--at TIME':
      'ISO 8601, or HH:MM[:SS], optionally preceded by today, yesterday or YYYY-MM-DD (a time alone: the most recent one); without a zone, the local time of this machine. A time without seconds matches any slot in that minute. Default: the latest slot',
    '--source S':
      'trigger or schedule, if a legacy schedule has the same name (default: trigger first)',
  },
  values: { source: ['trigger', 'schedule'] },
  isRemote: true,
  description: `
Show why a trigger did or did not fire at a given time, based on recorded runs and changes: it fired, was missed, skipped or
paused, was disabled, invalid or not declared, or had no slot.

  svc why hello heartbeat --at 03:00
  svc why hello heartbeat --at 'yesterday 03:00'
  svc why hello heartbeat --at 2026-03-01T03:00`,
  json: 'the response of GET …/why.',
  async run(context) {
    const [slug = '', name = ''] = context.arguments;
    const { at: text } = context.options;
    const at = typeof text === 'string' ? parseInstantText(text, Date.now()) : null;
    if (typeof text === 'string' && at === null) {
      throw new UsageError(
        `Cannot parse --at "${text}". Use 03:00, "yesterday 03:00" or 2026-03-01T03:00.`,
      );
    }
    const source = sourceOf(context.options['source']);
    const query = {
      ...(at !== null && { at: isoTime(at) }),
      ...(source !== undefined && { source }),
    };
    const params = { path: { slug, name }, query };
    const answer = await withService(context, ({ api }) =>
      answerOf(api.GET('/api/projects/{slug}/triggers/{name}/why', { params }), 'sentences'),
    );
    printResult(context, answer, answer.sentences);
    return 0;
  },
};

function sourceOf(given: string | boolean | undefined): 'trigger' | 'schedule' | undefined {
  if (given === undefined || given === 'trigger' || given === 'schedule') return given;
  throw new UsageError(`--source must be trigger or schedule, not ${given}.`);
}
