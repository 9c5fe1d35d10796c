import { isoTime } from '@svc/core';
import type { OperationResults } from '@svc/ops';
import { parseInstantText } from '../instant-text.ts';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { printResult } from './print-result.ts';
import { callService } from './service-access.ts';

/** Explains what was decided about a scheduled time of a trigger, and by whom. */
export async function whyVerb(context: VerbContext): Promise<ExitCode> {
  const [project, name, ...rest] = context.arguments;
  if (project === undefined || name === undefined || rest.length > 0) {
    throw new UsageError('why takes a project and a trigger: svc why hello heartbeat --at 03:00.');
  }
  const { at: text } = context.options;
  const at = typeof text === 'string' ? parseInstantText(text, Date.now()) : null;
  if (typeof text === 'string' && at === null) {
    throw new UsageError(
      `Cannot parse --at "${text}". Use 03:00, "yesterday 03:00" or 2026-03-01T03:00.`,
    );
  }
  const { source } = context.options;
  if (source !== undefined && source !== 'trigger' && source !== 'schedule') {
    throw new UsageError(`--source must be trigger or schedule, not ${source}.`);
  }
  const which = { ...(at !== null && { at: isoTime(at) }), ...(source && { source }) };
  const query = new URLSearchParams(which).toString();
  const address = `/api/projects/${encodeURIComponent(project)}/triggers/${encodeURIComponent(name)}`;
  const why = await callService<OperationResults['why_trigger']>(context, {
    row: 'why_trigger',
    method: 'GET',
    path: `${address}/why${query === '' ? '' : `?${query}`}`,
    input: { project, name, ...which },
  });
  printResult(context, why, why.sentences);
  return 0;
}
