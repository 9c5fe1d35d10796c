import { oneLine } from './messages.ts';
import type { ModelCall, ModelStep } from './model.ts';
import { stopOf } from './runtime.ts';
import type { CallResult, Progress, ThreadEnd, TurnParts } from './thread-parts.ts';
import { closeOf } from './turn-progress.ts';

export function stopped(parts: TurnParts, at: Progress): ThreadEnd {
  const { kind, reason } = stopOf(parts.context.signal);
  return { outcome: kind, reason, words: at.words };
}

export function outOfTurns({ spec, model }: TurnParts, at: Progress): ThreadEnd {
  const { maxTurns } = spec.limits;
  const one = model.runsSteps?.(spec.model) ? 'step' : 'model call';
  const reason = `Stopped after ${maxTurns} ${maxTurns === 1 ? one : `${one}s`} (maxTurns).`;
  return { outcome: 'max_turns', reason, words: at.words };
}

const NATIVE =
  'Available runtimes: native (runs ```bash, ```write and ```tool blocks as steps, without AI).';

export async function givenUp(
  parts: TurnParts,
  at: Progress,
  step: Extract<ModelStep, { end: string }>,
): Promise<ThreadEnd> {
  if (parts.context.signal.aborted) return stopped(parts, at);
  if (step.end === 'failed') return { outcome: 'failed', reason: step.reason, words: at.words };
  const found = await parts.detectRuntimes();
  const programs =
    found.length === 0 ? '' : ` Agent programs on this machine: ${found.join(', ')}.`;
  return { outcome: 'no_model', reason: `${step.reason} ${NATIVE}${programs}`, words: at.words };
}

export function failedStep(
  at: Progress,
  call: ModelCall,
  result: Exclude<CallResult, { kind: 'ok' }>,
): ThreadEnd {
  const name = `Step ${at.step} (${call.name})`;
  if (result.kind === 'refused') {
    return {
      outcome: 'denied',
      reason: `${name} was refused: ${oneLine(result.reason)}`,
      words: at.words,
    };
  }
  const outcome =
    result.outcome === undefined || result.outcome === 'no_model' ? 'failed' : result.outcome;
  const reason = `${name} failed: ${oneLine(result.summary ?? result.text)}`;
  return { outcome, reason: oneLine(reason), words: at.words };
}

export function finished(at: Progress): ThreadEnd {
  const { outcome, reason } = closeOf(at);
  return { outcome, reason: reason ?? at.warning, words: at.words };
}
