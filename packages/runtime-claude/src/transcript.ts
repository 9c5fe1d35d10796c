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
import { type CallFence, catalogueName, type FencedCall } from './call-fence.ts';

/** What a turn has said and done so far. */
export interface Transcript {
  readonly progress: TurnProgress;
  readonly denied: readonly DeniedCall[];
  /** Calls that failed, without refused ones. */
  readonly errors: number;
  /** Takes note of what the fence said of a call, before anything came of it. */
  stop(callId: string, tool: string, fault: FolderFault): void;
  /** The messages of a turn that are in a message of the SDK, in their order. */
  take(message: SDKMessage): Promise<readonly NewMessage[]>;
}

interface Parts {
  readonly fence: CallFence;
  readonly progress: TurnProgress;
  readonly denied: DeniedCall[];
  errors: number;
  readonly calls: Map<string, FencedCall>;
  readonly stopped: Map<string, FolderFault>;
  /** Calls that the SDK itself refused. */
  readonly refusedBySdk: Map<string, string>;
}

type Block = Readonly<Record<string, unknown>>;

/** Begins the transcript of a turn. */
export function createTranscript(fence: CallFence): Transcript {
  const parts: Parts = {
    fence,
    progress: { calls: 0, words: null, refused: null },
    denied: [],
    errors: 0,
    calls: new Map(),
    stopped: new Map(),
    refusedBySdk: new Map(),
  };
  return {
    progress: parts.progress,
    denied: parts.denied,
    get errors() {
      return parts.errors;
    },
    stop(callId, tool, fault) {
      parts.stopped.set(callId, fault);
      if (fault.kind === 'refused') deny(parts, tool, fault.reason);
    },
    async take(message) {
      if (message.type === 'assistant') return saidIn(parts, message);
      if (message.type === 'user') return answersIn(parts, message);
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

function saidIn(
  parts: Parts,
  message: Extract<SDKMessage, { type: 'assistant' }>,
): readonly NewMessage[] {
  // Faults of the model's server come as if the model had said them.
  if (message.error !== undefined) return [];
  const byChild = message.parent_tool_use_id !== null;
  return blocksOf(message.message.content).flatMap((block) => {
    if (block['type'] === 'text') return spoken(parts, String(block['text']), byChild);
    return block['type'] === 'tool_use' ? [called(parts, block, byChild)] : [];
  });
}

function spoken({ progress }: Parts, text: string, byChild: boolean): NewMessage[] {
  if (text.trim() === '') return [];
  if (!byChild) progress.words = text;
  return [textMessage(cutText(text))];
}

function called({ calls, progress }: Parts, block: Block, byChild: boolean): NewMessage {
  const callId = String(block['id']);
  const tool = catalogueName(String(block['name']));
  calls.set(callId, { tool, input: block['input'], byChild });
  progress.calls += 1;
  return toolUseMessage(callId, tool, block['input']);
}

async function answersIn(
  parts: Parts,
  message: Extract<SDKMessage, { type: 'user' }>,
): Promise<readonly NewMessage[]> {
  const answers: NewMessage[] = [];
  for (const block of blocksOf(message.message.content)) {
    const callId = String(block['tool_use_id']);
    const call = parts.calls.get(callId);
    if (block['type'] !== 'tool_result' || call === undefined) continue;
    const text = bare(textOf(block['content']));
    const isError = block['is_error'] === true;
    const refusal = await refusalOf(parts, callId, call, isError, text);
    const became = refusal !== null ? 'refused' : isError ? 'error' : 'ok';
    if (became === 'error') parts.errors += 1;
    if (!call.byChild) noteAnswer(parts.progress, call.tool, became, refusal ?? text);
    answers.push(toolResultMessage(callId, call.tool, cutText(text), isError));
  }
  return answers;
}

// A call that fails for another reason first, and that the fence would have stopped, was refused all the same.
async function refusalOf(
  parts: Parts,
  callId: string,
  call: FencedCall,
  isError: boolean,
  text: string,
): Promise<string | null> {
  const stopped = parts.stopped.get(callId);
  if (stopped !== undefined) return stopped.kind === 'refused' ? stopped.reason : null;
  if (!isError) return null;
  const fault = await parts.fence.faultOf(call);
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

function bare(text: string): string {
  return text.replace(/^<tool_use_error>(.*)<\/tool_use_error>$/s, '$1');
}
