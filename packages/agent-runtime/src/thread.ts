import { messageOf, newId, sentencesOf } from '@svc/core';
import type { Capability, NewMessage, TurnOutcome } from '@svc/records';
import { abortable } from './abortable.ts';
import type { ToolPolicy } from './decision.ts';
import { answering, calling, noticing, oneLine, saying } from './messages.ts';
import type { ModelCall, ModelStep, ModelTool, ModelTurn, TurnModel } from './model.ts';
import { cutText } from './output.ts';
import { stopOf, type TurnSpec } from './runtime.ts';
import { countStep, type Tally } from './tally.ts';
import type { TaskTool } from './tools/task.ts';
import type { Tool, ToolContext, ToolResult } from './tools/tool.ts';
import { closeOf, noteAnswer, type TurnProgress } from './turn-progress.ts';

/** What the thread of a turn and those of its child turns share. */
export interface TurnParts {
  readonly spec: TurnSpec;
  readonly model: TurnModel;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: ToolPolicy;
  readonly taskTool: TaskTool;
  readonly context: ToolContext;
  readonly tally: Tally;
  /** Names of the agent programs on this machine. */
  detectRuntimes(): Promise<readonly string[]>;
  /** Takes note of a tool that threw, which none should. */
  report(tool: string, error: unknown): void;
}

/** One prompt at work: the turn's own, or that of a child turn. */
export interface Thread {
  readonly prompt: TurnSpec['prompt'];
  /** What was said in the chat before it. */
  readonly history: TurnSpec['history'];
  readonly capability: Capability;
  readonly depth: number;
}

/** How a thread ended. */
export interface ThreadEnd {
  readonly outcome: TurnOutcome;
  readonly reason: string | null;
  /** The last words; null where there were none. */
  readonly words: string | null;
}

/** A tool result, and where it came from a child turn that did not succeed, how that ended. */
type CallResult = ToolResult & { readonly outcome?: TurnOutcome };

interface Progress extends TurnProgress {
  readonly said: NewMessage[];
  readonly turn: ModelTurn;
  /** Model calls of this thread alone. */
  step: number;
}

type Steps<T> = AsyncGenerator<NewMessage, T>;

/** Runs one thread to its end: asks the model, runs its calls, and again. */
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
  const at: Progress = { said: [], turn, step: 0, calls: 0, words: null, refused: null };
  for (;;) {
    if (parts.context.signal.aborted) return stopped(parts, at);
    if (tally.turns >= spec.limits.maxTurns) return outOfTurns(parts, at);
    const step = await nextStep(parts, at);
    if ('end' in step) {
      if (step.usage !== undefined) countStep(tally, step.usage);
      return await givenUp(parts, at, step);
    }
    countStep(tally, step.usage);
    at.step += 1;
    const end = yield* takeStep(parts, thread, at, step);
    if (end !== null) return end;
  }
}

async function nextStep(parts: TurnParts, at: Progress): Promise<ModelStep> {
  const { signal } = parts.context;
  try {
    return await abortable(at.turn.next(at.said, signal), signal);
  } catch (error) {
    return { end: 'failed', reason: `The model failed: ${oneLine(messageOf(error))}` };
  }
}

async function* takeStep(
  parts: TurnParts,
  thread: Thread,
  at: Progress,
  step: Exclude<ModelStep, { end: string }>,
): Steps<ThreadEnd | null> {
  for (const notice of step.notices ?? []) yield noticing(notice);
  if (step.text !== null) yield* say(at, step.text);
  for (const call of step.calls) {
    const result = yield* makeCall(parts, thread, at, call);
    if (parts.context.signal.aborted) return stopped(parts, at);
    if (result.kind !== 'ok' && at.turn.onFailedCall === 'stop') {
      return failedStep(at, call, result);
    }
  }
  if (step.last !== undefined) {
    if (step.last.closing !== null) yield* say(at, step.last.closing);
    return finished(at);
  }
  return step.calls.length === 0 ? finished(at) : null;
}

async function* say(at: Progress, text: string): Steps<void> {
  const message = saying(text);
  at.said.push(message);
  at.words = text;
  yield message;
}

async function* makeCall(
  parts: TurnParts,
  thread: Thread,
  at: Progress,
  call: ModelCall,
): Steps<CallResult> {
  const callId = newId();
  const use = calling(callId, call.name, call.input);
  at.said.push(use);
  at.calls += 1;
  parts.tally.toolCalls += 1;
  yield use;
  const result = yield* resultOf(parts, thread, call);
  const text = result.kind === 'refused' ? result.reason : result.text;
  const shown = cutText(text, result.kind === 'ok' ? result.whole : undefined);
  const answer = answering(callId, call.name, shown, result.kind !== 'ok');
  at.said.push(answer);
  if (result.kind === 'refused') {
    parts.tally.denied.push({ tool: call.name, reason: oneLine(result.reason) });
  }
  noteAnswer(at, call.name, result.outcome === 'denied' ? 'refused' : result.kind, text);
  yield answer;
  return result;
}

async function* resultOf(parts: TurnParts, thread: Thread, call: ModelCall): Steps<CallResult> {
  if (call.fault !== null) return { kind: 'error', text: call.fault };
  const decision = parts.policy.decide(thread.capability, thread.depth, call.name);
  if (decision.verdict !== 'run') return { kind: 'refused', reason: decision.reason };
  if (call.name === parts.taskTool.name) return yield* runChild(parts, thread, call.input);
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
    return { kind: 'refused', reason: `This turn has no tool ${call.name}.` };
  }
  const answer = spec.toolset.call(call.name, call.input, context.signal);
  const { text, isError } = await abortable(answer, context.signal);
  return { kind: isError ? 'error' : 'ok', text };
}

async function* runChild(parts: TurnParts, thread: Thread, input: unknown): Steps<CallResult> {
  const checked = parts.taskTool.check(input);
  if (!checked.ok) {
    return {
      kind: 'error',
      text: `The input of Task is not valid: ${sentencesOf(checked.issues, 'The input')}`,
    };
  }
  const { prompt, description } = checked.value;
  yield noticing(description === undefined ? 'Child turn.' : `Child turn: ${oneLine(description)}`);
  const end = yield* runThread(parts, childOf(parts.policy, thread, prompt));
  yield noticing(`Child turn ended: ${end.outcome}.`);
  if (end.outcome === 'succeeded') {
    return { kind: 'ok', text: end.words ?? 'The child turn succeeded.' };
  }
  const text = end.reason ?? `The child turn ended ${end.outcome}.`;
  return { kind: 'error', text, outcome: end.outcome };
}

// Operations stamp what they start with the depth of the turn itself, which would be one too few here: a child turn
// has no starting operations, only further children.
function childOf(policy: ToolPolicy, thread: Thread, prompt: string): Thread {
  const { capability, depth } = thread;
  const tools = capability.tools.filter((name) => name === 'Task' || !policy.startsTurns(name));
  return {
    prompt: { author: prompt },
    history: async () => [],
    capability: { ...capability, tools },
    depth: depth + 1,
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

function stopped(parts: TurnParts, at: Progress): ThreadEnd {
  const { kind, reason } = stopOf(parts.context.signal);
  return { outcome: kind, reason, words: at.words };
}

function outOfTurns({ spec, model }: TurnParts, at: Progress): ThreadEnd {
  const { maxTurns } = spec.limits;
  const one = model.runsSteps?.(spec.model) ? 'step' : 'model call';
  const reason = `The limit of ${maxTurns} ${maxTurns === 1 ? one : `${one}s`} was reached.`;
  return { outcome: 'max_turns', reason, words: at.words };
}

async function givenUp(
  parts: TurnParts,
  at: Progress,
  step: Extract<ModelStep, { end: string }>,
): Promise<ThreadEnd> {
  if (parts.context.signal.aborted) return stopped(parts, at);
  if (step.end === 'failed') return { outcome: 'failed', reason: step.reason, words: at.words };
  const found = await parts.detectRuntimes();
  const runtimes = [
    'native (runs steps in ```bash, ```write and ```tool fences, without AI)',
    ...found,
  ];
  const machine = `Found on this machine: ${runtimes.join(', ')}.`;
  return { outcome: 'no_model', reason: `${step.reason} ${machine}`, words: at.words };
}

function failedStep(
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

function finished(at: Progress): ThreadEnd {
  return { ...closeOf(at), words: at.words };
}
