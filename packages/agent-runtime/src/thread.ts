import { messageOf, newId, sentencesOf } from '@svc/core';
import { type NewMessage, outcomeText } from '@svc/records';
import { abortable } from './abortable.ts';
import type { ToolPolicy } from './decision.ts';
import {
  noticeMessage,
  oneLine,
  textMessage,
  toolResultMessage,
  toolUseMessage,
} from './messages.ts';
import type { ModelCall, ModelStep, ModelTool, ModelUsage } from './model.ts';
import { cutText } from './output.ts';
import type { TurnMessage } from './runtime.ts';
import { countStep, useOf } from './tally.ts';
import { failedStep, finished, givenUp, outOfTurns, stopped } from './thread-end.ts';
import type { CallResult, Progress, Thread, ThreadEnd, TurnParts } from './thread-parts.ts';
import type { ToolResult } from './tools/tool.ts';
import { noteAnswer } from './turn-progress.ts';

type Steps<T> = AsyncGenerator<TurnMessage, T>;

/** Runs one thread: calls the model, runs its tool calls, and repeats until it ends. */
export async function* runThread(parts: TurnParts, thread: Thread): Steps<ThreadEnd> {
  const { model, spec, tally } = parts;
  const turn = model.start({
    prompt: thread.prompt,
    model: spec.model,
    instructions: spec.instructions,
    history: thread.history,
    tools: visibleTools(parts, thread),
    depth: thread.depth,
  });
  tally.model = turn.model;
  const counts = { step: 0, calls: 0 };
  const at: Progress = { said: [], turn, ...counts, words: null, refused: null, warning: null };
  for (;;) {
    if (parts.context.signal.aborted) return stopped(parts, at);
    if (tally.turns >= spec.limits.maxTurns) return outOfTurns(parts, at);
    const step = await nextStep(parts, thread, at);
    if ('end' in step) {
      if (step.usage !== undefined) countStep(tally, step.usage);
      return await givenUp(parts, at, step);
    }
    countStep(tally, step.usage);
    at.step += 1;
    const end =
      (await reportUsage(parts, at, step.usage)) ?? (yield* takeStep(parts, thread, at, step));
    if (end !== null) return end;
  }
}

// A cost limit cannot be enforced if the cost of a call is unknown.
async function reportUsage(
  parts: TurnParts,
  at: Progress,
  usage: ModelUsage | undefined,
): Promise<ThreadEnd | null> {
  if (usage === undefined) return null;
  const { spec, tally, context } = parts;
  await spec.onUsage?.(useOf(tally));
  if (context.signal.aborted) return stopped(parts, at);
  const isLimited = (spec.limits.costMicrousd ?? null) !== null;
  if (!isLimited || usage.costMicrousd !== null) return null;
  return { outcome: 'failed', reason: COST_UNKNOWN, words: at.words };
}

const COST_UNKNOWN =
  'The model did not report token counts, so the cost of the call cannot be counted against the daily limit.';

async function nextStep(parts: TurnParts, thread: Thread, at: Progress): Promise<ModelStep> {
  const { onModelCall, model } = parts.spec;
  // A runtime that runs the steps of the prompt makes no model calls.
  if (onModelCall === undefined || parts.model.runsSteps?.(model)) return stepOf(parts, at);
  const { clock } = parts.context;
  const begun = clock.mono();
  const step = await stepOf(parts, at);
  onModelCall({
    ...(step.usage ?? UNKNOWN_USAGE),
    model: at.turn.model,
    answeredBy: 'end' in step ? null : (step.answeredBy ?? null),
    durationMs: clock.mono() - begun,
    within: thread.within,
    error: 'end' in step ? step.reason : null,
  });
  return step;
}

const UNKNOWN_USAGE = { tokensIn: null, tokensOut: null, costMicrousd: null };

async function stepOf(parts: TurnParts, at: Progress): Promise<ModelStep> {
  const { signal } = parts.context;
  try {
    return await abortable(at.turn.next(at.said, signal), signal);
  } catch (error) {
    const usage = at.turn.usedSoFar?.() ?? null;
    const reason = `The model failed: ${oneLine(messageOf(error))}`;
    return { end: 'failed', reason, ...(usage !== null && { usage }) };
  }
}

async function* takeStep(
  parts: TurnParts,
  thread: Thread,
  at: Progress,
  step: Exclude<ModelStep, { end: string }>,
): Steps<ThreadEnd | null> {
  for (const notice of step.notices ?? []) yield said(thread, noticeMessage(notice));
  if (step.warning !== undefined) {
    at.warning = step.warning;
    yield said(thread, noticeMessage(step.warning));
  }
  if (step.text !== null) yield* say(thread, at, step.text);
  for (const call of step.calls) {
    const result = yield* makeCall(parts, thread, at, call);
    if (parts.context.signal.aborted) return stopped(parts, at);
    if (result.kind !== 'ok' && at.turn.onFailedCall === 'stop') {
      return failedStep(at, call, result);
    }
  }
  if (step.last !== undefined) {
    if (step.last.closing !== null) yield* say(thread, at, step.last.closing);
    return finished(at);
  }
  return step.calls.length === 0 ? finished(at) : null;
}

function said({ within }: Pick<Thread, 'within'>, message: NewMessage): TurnMessage {
  return { type: 'message', message, ...(within !== null && { within }) };
}

async function* say(thread: Thread, at: Progress, text: string): Steps<void> {
  const message = textMessage(text);
  at.said.push(message);
  at.words = text;
  yield said(thread, message);
}

async function* makeCall(
  parts: TurnParts,
  thread: Thread,
  at: Progress,
  call: ModelCall,
): Steps<CallResult> {
  const callId = newId();
  const use = toolUseMessage(callId, call.name, call.input);
  at.said.push(use);
  at.calls += 1;
  parts.tally.toolCalls += 1;
  yield said(thread, use);
  const result = yield* resultOf(parts, thread, call, callId);
  const text = result.kind === 'refused' ? result.reason : result.text;
  const shown = cutText(text, result.kind === 'ok' ? result.whole : undefined);
  const answer = toolResultMessage(callId, call.name, shown, result.kind !== 'ok');
  at.said.push(answer);
  if (result.kind === 'refused') {
    parts.tally.denied.push({ tool: call.name, reason: oneLine(result.reason) });
  }
  if (result.kind === 'error') parts.tally.toolErrors += 1;
  noteAnswer(at, call.name, result.outcome === 'denied' ? 'refused' : result.kind, text);
  yield said(thread, answer);
  return result;
}

async function* resultOf(
  parts: TurnParts,
  thread: Thread,
  call: ModelCall,
  callId: string,
): Steps<CallResult> {
  if (call.fault !== null) return { kind: 'error', text: call.fault };
  const decision = parts.policy.decide(thread.capability, thread.depth, call.name);
  if (decision.verdict !== 'run') return { kind: 'refused', reason: decision.reason };
  if (call.name === parts.taskTool.name) {
    return yield* runChild(parts, thread, call.input, callId);
  }
  try {
    return await runTool(parts, call);
  } catch (error) {
    parts.report(call.name, error);
    return { kind: 'error', text: `${call.name} failed: ${messageOf(error)}` };
  }
}

async function runTool(parts: TurnParts, call: ModelCall): Promise<ToolResult> {
  const { context, spec, tools } = parts;
  const tool = tools.get(call.name);
  if (tool !== undefined) return tool.run(call.input, context);
  const offered = spec.toolset?.tools.some(({ name }) => name === call.name);
  if (spec.toolset === null || offered !== true) {
    return { kind: 'refused', reason: `The ${call.name} tool is not available in this turn.` };
  }
  const answer = spec.toolset.call(call.name, call.input, context.signal);
  const { text, isError } = await abortable(answer, context.signal);
  return { kind: isError ? 'error' : 'ok', text };
}

async function* runChild(
  parts: TurnParts,
  thread: Thread,
  input: unknown,
  callId: string,
): Steps<CallResult> {
  const checked = parts.taskTool.check(input);
  if (!checked.ok) {
    return {
      kind: 'error',
      text: `The input of Task is not valid: ${sentencesOf(checked.issues, 'The input')}`,
    };
  }
  const { prompt, description } = checked.value;
  const child = childOf(parts.policy, thread, prompt, callId);
  const about = description === undefined ? '.' : `: ${oneLine(description)}`;
  yield said(child, noticeMessage(`Child turn${about}`));
  const end = yield* runThread(parts, child);
  yield said(child, noticeMessage(`Child turn ended: ${end.outcome}.`));
  if (end.outcome === 'succeeded') {
    return { kind: 'ok', text: end.words ?? 'The child turn succeeded.' };
  }
  const text = end.reason ?? `The child turn ${outcomeText(end.outcome)}.`;
  return { kind: 'error', text, outcome: end.outcome };
}

// Operations stamp new turns with the depth of the turn itself, which is one too low for a child turn. A child turn
// therefore has no operations that start turns, only `Task`.
function childOf(policy: ToolPolicy, thread: Thread, prompt: string, within: string): Thread {
  const { capability, depth } = thread;
  const tools = capability.tools.filter((name) => name === 'Task' || !policy.startsTurns(name));
  return {
    prompt: { author: prompt },
    history: async () => [],
    capability: { ...capability, tools },
    depth: depth + 1,
    within,
  };
}

function visibleTools(parts: TurnParts, thread: Thread): readonly ModelTool[] {
  const offered: readonly ModelTool[] = [
    ...parts.tools.values(),
    parts.taskTool,
    ...(parts.spec.toolset?.tools ?? []),
  ];
  const { capability, depth } = thread;
  return offered
    .filter(({ name }) => parts.policy.decide(capability, depth, name).verdict !== 'absent')
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
