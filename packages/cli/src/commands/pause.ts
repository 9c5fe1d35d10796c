import type { Schemas } from '@svc/client';
import { authorText } from '@svc/records';
import type { Command } from '../command.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';
import { UsageError } from '../terminal.ts';

type PausedNow = Schemas['PausedNow'];
// A server of an earlier version does not send the other fields.
type PauseAnswer = Pick<PausedNow, 'stopped'> & Partial<PausedNow>;

/** Pauses all triggers through the running server, or, if none runs, in the database. */
export const pause: Command = {
  name: 'pause',
  group: 'Act',
  summary: 'pause all triggers',
  overview: '[--reason TEXT]',
  takes: 'no arguments. Give a reason with --reason TEXT.',
  options: {
    '--reason TEXT': 'reason, one line of at most 500 characters, visible to all users',
    '--stop-running': 'also cancel running turns started by triggers, and the turns they started',
  },
  isRemote: true,
  description: `
Pause all triggers until svc resume. The pause survives restarts, and applies even if no server is running. Slots, events and
queued runs are recorded as skipped. Running turns, chats and svc fire continue to work. Pausing again replaces the earlier pause
and its reason.`,
  json: 'the response of POST /api/pause.',
  async run(context) {
    const { reason, 'stop-running': stops } = context.options;
    const body = {
      ...(typeof reason === 'string' && { reason }),
      ...(stops === true && { stopRunning: true }),
    };
    const answer: PauseAnswer = await withService(context, ({ api }) =>
      answerOf(api.POST('/api/pause', { body }), 'stopped'),
    );
    const { stopped, replaced = null, servers = 1, answeredBy } = answer;
    const ended = stops === true ? ` Cancelled turns of triggers: ${stopped}.` : '';
    const where = servers < 2 ? '' : ` on all ${servers} servers`;
    printResult(context, answer, [
      `All triggers are paused${where} until svc resume.${ended}`,
      ...(servers > 1 ? [`Answered by server ${answeredBy}.`] : []),
      ...(replaced === null ? [] : [replacedLine(replaced)]),
    ]);
    return 0;
  },
};

const TAKES = 'a project and a trigger, or neither: svc resume.';

/** Resumes all triggers, or one trigger that was paused after failures or by a clock problem. */
export const resume: Command = {
  name: 'resume',
  group: 'Act',
  summary: 'resume all triggers, or a single one',
  usage: ['[PROJECT TRIGGER]'],
  arguments: { '[PROJECT]': 'project', '[TRIGGER]': 'trigger' },
  takes: TAKES,
  isRemote: true,
  description: `
Resume all triggers after svc pause, or one trigger that was paused after failures (policy.pauseAfterFailures); its failure count
restarts at zero. Skipped slots will not run later. An interval trigger that waits because the clock was set back continues one
period from now; slots that already ran do not run again.`,
  json: '{ "paused": null, "wasPaused" }; for one trigger the response of POST …/resume.',
  async run(context) {
    const [slug, name] = context.arguments;
    if (slug === undefined) {
      const wasPaused = await withService(context, async ({ api }) => {
        const { paused } = await answerOf(api.GET('/api/status'), 'paused');
        await answerOf(api.POST('/api/resume'));
        return paused !== null;
      });
      const done = 'Resumed all triggers. Skipped slots will not run later.';
      const line = wasPaused ? done : 'Nothing was paused.';
      printResult(context, { paused: null, wasPaused }, [line]);
      return 0;
    }
    if (name === undefined) throw new UsageError(`resume takes ${TAKES}`);
    const path = '/api/projects/{slug}/triggers/{name}/resume';
    const answer = await withService(context, ({ api }) =>
      answerOf(api.POST(path, { params: { path: { slug, name } } }), 'resumed'),
    );
    const line = answer.resumed ? `Resumed ${name}.` : `${name} was not paused.`;
    printResult(context, answer, [line]);
    return 0;
  },
};

function replacedLine({ by, at, reason }: Schemas['PausedAll']): string {
  const why = reason === null ? '' : `, reason: ${reason.replace(/[.!?]$/, '')}`;
  return `Replaced an earlier pause by ${authorText(by)} (since ${at}${why}).`;
}
