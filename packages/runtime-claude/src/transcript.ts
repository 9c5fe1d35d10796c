import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import {
  cutText,
  type FolderFault,
  noteAnswer,
  oneLine,
  type TurnProgress,
  textMessage,
  toolResultMessage,
  toolUseMessage,
} from '@svc/agent-runtime';
import { isRecord } from '@svc/core';
import type { DeniedCall, NewMessage } from '@svc/records';
import { type CallGuard, catalogueName, type GuardedCall } from './call-guard.ts';

/** Converts the SDK messages of a turn into messages and counts. */
export interface Transcript {
  readonly progress: TurnProgress;
  readonly denied: readonly DeniedCall[];
  /** The number of failed calls, without refused ones. */
  readonly errors: number;
  /** Records that the guard blocked a call. Called before the result of the call arrives. */
  block(callId: string, tool: string, fault: FolderFault): void;
  /** Adds an SDK message and returns the messages of the turn in it, in order. */
  add(message: SDKMessage): Promise<readonly NewMessage[]>;
}

interface Parts {
  readonly guard: CallGuard;
  readonly progress: TurnProgress;
  readonly denied: DeniedCall[];
  errors: number;
  readonly calls: Map<string, GuardedCall>;
  readonly blocked: Map<string, FolderFault>;
  /** Calls that the SDK itself refused. */
  readonly refusedBySdk: Map<string, string>;
}

type Block = Readonly<Record<string, unknown>>;

/** Creates the transcript of a turn. */
export function createTranscript(guard: CallGuard): Transcript {
  const parts: Parts = {
    guard,
    progress: { calls: 0, words: null, refused: null },
    denied: [],
    errors: 0,
    calls: new Map(),
    blocked: new Map(),
    refusedBySdk: new Map(),
  };
  return {
    progress: parts.progress,
    denied: parts.denied,
    get errors() {
      return parts.errors;
    },
    block(callId, tool, fault) {
      parts.blocked.set(callId, fault);
      if (fault.kind === 'refused') deny(parts, tool, fault.reason);
    },
    async add(message) {
      if (message.type === 'assistant') return assistantMessages(parts, message);
      if (message.type === 'user') return resultMessages(parts, message);
      if (message.type === 'system' && message.subtype === 'permission_denied') {
        parts.refusedBySdk.set(message.tool_use_id, message.message);
      }
      return [];
    },
  };
}

function deny({ denied }: Parts, tool: string, reason: string): void {
  denied.push({ tool, reason: oneLine(reason) });
}

function assistantMessages(
  parts: Parts,
  message: Extract<SDKMessage, { type: 'assistant' }>,
): readonly NewMessage[] {
  // The SDK reports errors of the model server as assistant messages.
  if (message.error !== undefined) return [];
  const byChild = message.parent_tool_use_id !== null;
  return blocksOf(message.message.content).flatMap((block) => {
    if (block['type'] === 'text') return textMessages(parts, String(block['text']), byChild);
    return block['type'] === 'tool_use' ? [callMessage(parts, block, byChild)] : [];
  });
}

function textMessages({ progress }: Parts, text: string, byChild: boolean): NewMessage[] {
  if (text.trim() === '') return [];
  if (!byChild) progress.words = text;
  return [textMessage(cutText(text))];
}

function callMessage({ calls, progress }: Parts, block: Block, byChild: boolean): NewMessage {
  const callId = String(block['id']);
  const tool = catalogueName(String(block['name']));
  calls.set(callId, { tool, input: block['input'], byChild });
  progress.calls += 1;
  return toolUseMessage(callId, tool, block['input']);
}

async function resultMessages(
  parts: Parts,
  message: Extract<SDKMessage, { type: 'user' }>,
): Promise<readonly NewMessage[]> {
  const messages: NewMessage[] = [];
  for (const block of blocksOf(message.message.content)) {
    const callId = String(block['tool_use_id']);
    const call = parts.calls.get(callId);
    if (block['type'] !== 'tool_result' || call === undefined) continue;
    const text = withoutErrorTag(textOf(block['content']));
    const isError = block['is_error'] === true;
    const refusal = await refusalOf(parts, callId, call, isError, text);
    const outcome = refusal !== null ? 'refused' : isError ? 'error' : 'ok';
    if (outcome === 'error') parts.errors += 1;
    if (!call.byChild) noteAnswer(parts.progress, call.tool, outcome, refusal ?? text);
    messages.push(toolResultMessage(callId, call.tool, cutText(text), isError));
  }
  return messages;
}

// A call that failed before the hook ran counts as refused if the guard would have blocked it.
async function refusalOf(
  parts: Parts,
  callId: string,
  call: GuardedCall,
  isError: boolean,
  text: string,
): Promise<string | null> {
  const blocked = parts.blocked.get(callId);
  if (blocked !== undefined) return blocked.kind === 'refused' ? blocked.reason : null;
  if (!isError) return null;
  const fault = await parts.guard.check(call);
  const reason =
    fault?.kind === 'refused'
      ? fault.reason
      : (parts.refusedBySdk.get(callId) ?? (NO_TOOL.test(text) ? text : null));
  if (reason !== null) deny(parts, call.tool, reason);
  return reason;
}

const NO_TOOL = /^(?:Error: )?No such tool available/;

function blocksOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocksOf(content)
    .map((block) => (block['type'] === 'text' ? String(block['text']) : `[${block['type']}]`))
    .join('\n');
}

function withoutErrorTag(text: string): string {
  return text.replace(/^<tool_use_error>(.*)<\/tool_use_error>$/s, '$1');
}
