import type { Message, Run } from '../data/shapes.ts';

/** Longer texts than these are folded. */
const FOLD_BYTES = 4096;

/** A piece of a transcript: something that was said, or the call of a tool with what came of it. */
export type Block =
  | {
      readonly kind: 'text' | 'notice';
      /** Number of its first message. */
      readonly seq: number;
      readonly message: Message;
    }
  | {
      readonly kind: 'call';
      readonly seq: number;
      readonly name: string;
      /** Arguments, as JSON. */
      readonly input: unknown;
      /** Null while the tool works. */
      readonly result: string | null;
      readonly isError: boolean;
    };

export type CallBlock = Extract<Block, { kind: 'call' }>;

// How the service begins what stands before every prompt of a turn.
const INSTRUCTIONS = 'You work on your own in the folder of a project, started by svc';

/** Whether a notice is what an agent is told before every prompt, word for word. */
export function isInstructions({ kind, text }: Pick<Message, 'kind' | 'text'>): boolean {
  return kind === 'notice' && text.startsWith(INSTRUCTIONS);
}

/** The lines of a notice after its first as JSON, word for word: the data of an event; null where they are none. */
export function dataOf({ kind, text }: Pick<Message, 'kind' | 'text'>): string | null {
  const data = kind === 'notice' ? text.slice(text.indexOf('\n') + 1) : '';
  if (!data.startsWith('{')) return null;
  try {
    JSON.parse(data);
    return data;
  } catch {
    // Whatever else begins with a brace is shown as lines.
    return null;
  }
}

const CUT = /^\[Cut: (.+)\]$/m;

/** How much of a result is missing, as its tool says: "The first 100 of 900 bytes are shown."; null where it is whole. */
export function cutText(result: string | null): string | null {
  const said = CUT.exec(result ?? '')?.[1];
  return said === undefined ? null : said.charAt(0).toUpperCase() + said.slice(1);
}

/** Joins each call of a tool with its result; what a turn may do, and is told first, stands once while it stays the same. */
export function blocksOf(messages: readonly Message[]): Block[] {
  const results = new Map<string, Message>();
  for (const message of messages) {
    if (message.kind === 'tool_result') results.set(callKey(message), message);
  }
  const called = new Set<string>();
  const told = new Map<boolean, string>();
  const blocks: Block[] = [];
  for (const message of messages) {
    if (message.kind === 'tool_use') called.add(callKey(message));
    else if (message.kind === 'tool_result' && called.has(callKey(message))) continue;
    else if (message.kind === 'notice' && dataOf(message) === null && isTold(told, message)) {
      continue;
    }
    blocks.push(blockOf(message, results));
  }
  return blocks;
}

// Whether the newest notice of its kind has said the same; from now on it has.
function isTold(told: Map<boolean, string>, message: Message): boolean {
  const kind = isInstructions(message);
  const isSame = told.get(kind) === message.text;
  told.set(kind, message.text);
  return isSame;
}

// Calls are numbered within their turn.
function callKey({ turnId, tool }: Message): string {
  return `${turnId} ${tool?.callId}`;
}

function blockOf(message: Message, results: ReadonlyMap<string, Message>): Block {
  const { seq, kind, tool } = message;
  if (kind === 'text' || kind === 'notice') return { kind, seq, message };
  const result = kind === 'tool_result' ? message : results.get(callKey(message));
  return {
    kind: 'call',
    seq,
    name: tool?.name ?? 'tool',
    input: tool?.input,
    result: result?.text ?? null,
    isError: result?.tool?.isError === true,
  };
}

/** What a call is about, in a line: the command, the file, or its arguments. */
export function callSummary({ input }: Pick<CallBlock, 'input'>): string {
  if (typeof input !== 'object' || input === null) return '';
  const { command, file_path: path, pattern, url } = input as Record<string, unknown>;
  const [said] = [command, path, pattern, url].filter((each) => typeof each === 'string');
  const text = typeof said === 'string' ? said : JSON.stringify(input);
  const [line = '', ...more] = text.trim().split('\n');
  return more.length > 0 || line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

/** The arguments of a call in full: a command as it is, others as JSON. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const entries = Object.entries(input);
  const [[key, value] = []] = entries;
  const isCommand = entries.length === 1 && key === 'command' && typeof value === 'string';
  return isCommand ? value : JSON.stringify(input, null, 2);
}

/** How many bytes a text has. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a text is too long to be shown at once. */
export function isLong(text: string): boolean {
  return text.length > FOLD_BYTES || bytesOf(text) > FOLD_BYTES;
}

/** The beginning of a long text, of whole characters. */
export function beginningOf(text: string): string {
  const bytes = new TextEncoder().encode(text).subarray(0, FOLD_BYTES);
  return new TextDecoder().decode(bytes, { stream: true });
}

/**
 * The messages of a run, out of the newest of its chat. Where the service does not name the turn it is the first one that
 * was opened once the run was claimed. Null while older messages are needed to tell.
 */
export function messagesOfRun(
  run: Pick<Run, 'turnId' | 'claimedAt' | 'by'>,
  messages: readonly Message[],
  isAll: boolean,
): readonly Message[] | null {
  const [oldest] = messages;
  if (!isAll && !(oldest !== undefined && oldest.timestamp < run.claimedAt)) return null;
  const turnId = run.turnId ?? turnSince(run, messages);
  return messages.filter((message) => turnId !== null && message.turnId === turnId);
}

function turnSince(
  { claimedAt, by }: Pick<Run, 'claimedAt' | 'by'>,
  messages: readonly Message[],
): string | null {
  const asked = messages.find(
    (message) => message.role === 'user' && message.timestamp >= claimedAt && message.by === by,
  );
  return asked?.turnId ?? null;
}
