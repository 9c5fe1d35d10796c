import type { Message, Run } from '../data/api-types.ts';

/** Longer texts than these are folded. */
const FOLD_BYTES = 4096;

/** A block of a transcript: a message, or a tool call with its result. */
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
      /** Null while the tool runs. */
      readonly result: string | null;
      readonly isError: boolean;
    };

export type CallBlock = Extract<Block, { kind: 'call' }>;

// The start of the instructions that svc puts before every prompt; earlier versions stored the second text.
const INSTRUCTIONS = [
  'svc started you, unattended, in a project folder.',
  'You work on your own in the folder of a project, started by svc',
];

/** Whether a notice contains the instructions sent before every prompt. */
export function isInstructions({ kind, text }: Pick<Message, 'kind' | 'text'>): boolean {
  return kind === 'notice' && INSTRUCTIONS.some((start) => text.startsWith(start));
}

/** The JSON data after the first line of an event notice, unchanged; null when there is none. */
export function dataOf({ kind, text }: Pick<Message, 'kind' | 'text'>): string | null {
  const data = kind === 'notice' ? text.slice(text.indexOf('\n') + 1) : '';
  if (!data.startsWith('{')) return null;
  try {
    JSON.parse(data);
    return data;
  } catch {
    // Any other text that starts with a brace is shown as lines.
    return null;
  }
}

const CUT = /^\[Cut: (.+)\]$/m;

/**
 * How much of a result was truncated, as the tool reports it: "The first 100 of 900 bytes are shown."; null when it is
 * complete.
 */
export function cutText(result: string | null): string | null {
  const said = CUT.exec(result ?? '')?.[1];
  return said === undefined ? null : said.charAt(0).toUpperCase() + said.slice(1);
}

/**
 * Joins each tool call with its result. A notice of the capability or the instructions is shown again only when it changes.
 */
export function blocksOf(messages: readonly Message[]): Block[] {
  const results = new Map<string, Message>();
  for (const message of messages) {
    if (message.kind === 'tool_result') results.set(callKey(message), message);
  }
  const called = new Set<string>();
  const shownByKind = new Map<boolean, string>();
  const blocks: Block[] = [];
  for (const message of messages) {
    if (message.kind === 'tool_use') called.add(callKey(message));
    else if (message.kind === 'tool_result' && called.has(callKey(message))) continue;
    else if (
      message.kind === 'notice' &&
      dataOf(message) === null &&
      isRepeated(shownByKind, message)
    ) {
      continue;
    }
    blocks.push(blockOf(message, results));
  }
  return blocks;
}

// Whether the previous notice of the same kind had the same text; remembers this one.
function isRepeated(shownByKind: Map<boolean, string>, message: Message): boolean {
  const kind = isInstructions(message);
  const isSame = shownByKind.get(kind) === message.text;
  shownByKind.set(kind, message.text);
  return isSame;
}

// Call ids are unique only within their turn.
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

/** A one-line summary of a call: the command, the file, or the arguments. */
export function callSummary({ input }: Pick<CallBlock, 'input'>): string {
  if (typeof input !== 'object' || input === null) return '';
  const { command, file_path: path, pattern, url } = input as Record<string, unknown>;
  const [said] = [command, path, pattern, url].filter((each) => typeof each === 'string');
  const text = typeof said === 'string' ? said : JSON.stringify(input);
  const [line = '', ...more] = text.trim().split('\n');
  return more.length > 0 || line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

/** The full arguments of a call: a command as text, others as JSON. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const entries = Object.entries(input);
  const [[key, value] = []] = entries;
  const isCommand = entries.length === 1 && key === 'command' && typeof value === 'string';
  return isCommand ? value : JSON.stringify(input, null, 2);
}

/** The size of a text in UTF-8 bytes. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a text is too long to be shown in full at first. */
export function isLong(text: string): boolean {
  return text.length > FOLD_BYTES || bytesOf(text) > FOLD_BYTES;
}

/** The beginning of a long text, cut at a character boundary. */
export function beginningOf(text: string): string {
  const bytes = new TextEncoder().encode(text).subarray(0, FOLD_BYTES);
  return new TextDecoder().decode(bytes, { stream: true });
}

/**
 * The messages of a run, taken from the newest of its chat. When the service does not report the turn, it is the first turn
 * opened after the run was claimed. Null when older messages must be loaded first.
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
