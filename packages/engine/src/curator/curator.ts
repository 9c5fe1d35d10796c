import { cutTo, eventJson } from '@svc/agent-runtime';
import { sentencesOf } from '@svc/core';
import type { CuratedFile, CuratedTexts } from '@svc/projects';
import type { EventData, SessionId, Slug, TurnId } from '@svc/records';
import type { TurnMessage } from '@svc/store';
import type { EngineDeps } from '../deps.ts';

/** A message or tool call in the data for a curator. */
interface CuratorMessage {
  readonly role: TurnMessage['role'];
  /** The author; absent if there is none. */
  readonly by?: string;
  readonly at: string;
  readonly text: string;
  /** `input` is JSON, or text if it was truncated. */
  readonly tool?: { readonly name: string; readonly input?: unknown; readonly isError?: boolean };
}

/** The data for a curator. Important fields come first, because long data is truncated at the end. */
export interface CuratorData {
  /** Number of turns covered. */
  readonly turns: number;
  /** Number of omitted older messages of these turns; absent if none. */
  readonly omitted?: number;
  /** null if the file does not exist. A file with a fault is not written, because it cannot be read or shown completely. */
  readonly files: Readonly<Record<CuratedFile, CuratorFile | null>>;
  readonly chats: readonly {
    readonly sessionId: SessionId;
    readonly name: string;
    readonly messages: readonly CuratorMessage[];
  }[];
}

/** A file in the data for a curator. */
type CuratorFile =
  | { readonly text: string; readonly sha256: string }
  | { readonly text?: string; readonly fault: string };

// Together well below the limit of 256 KiB for event data.
const MOST_BYTES = 96 * 1024;
const MOST_OF_FILES = 152 * 1024;
const MOST_OF_TEXT = 32 * 1024;
const MOST_OF_TOOL = 2 * 1024;
const LITTLE = 8 * 1024;

/**
 * The data for a curator: the newest messages, up to 96 KiB, of the given turns (in the order in which they ended), and
 * the current files. A message has at most 32 KiB, a tool call or result 2 KiB, truncated with a mark. If the files
 * exceed 152 KiB together, the later one is truncated. Sizes refer to the escaped form that an agent reads.
 */
export async function curatorData(
  { store, projects }: Pick<EngineDeps, 'store' | 'projects'>,
  project: Slug,
  turnIds: readonly TurnId[],
): Promise<EventData> {
  const bounds = { mostBytes: MOST_BYTES, mostOfText: MOST_OF_TEXT, mostOfTool: MOST_OF_TOOL };
  const [said, texts] = await Promise.all([
    store.turns.messages(turnIds, bounds),
    projects.curated.read(project),
  ]);
  const kept = newestOf(said.messages);
  const omitted = said.omitted + said.messages.length - kept.length;
  const data: CuratorData = {
    turns: turnIds.length,
    ...(omitted > 0 ? { omitted } : {}),
    files: filesOf(texts),
    chats: chatsOf(kept),
  };
  return { event: 'afterTurn', project, data: { ...data } };
}

interface Kept {
  readonly of: TurnMessage;
  readonly message: CuratorMessage;
}

function newestOf(messages: readonly TurnMessage[]): readonly Kept[] {
  const kept: Kept[] = [];
  const chats = new Set<SessionId>();
  let bytes = 0;
  for (const of of [...messages].reverse()) {
    const whole = curatorMessage(of, MOST_OF_TEXT);
    // The newest message is always included, even if escaping makes it long.
    const message =
      kept.length > 0 || shownBytes(whole) <= MOST_BYTES ? whole : curatorMessage(of, LITTLE);
    bytes += shownBytes(message);
    const { sessionId, chat } = of;
    if (!chats.has(sessionId)) bytes += shownBytes({ sessionId, name: chat, messages: [] });
    chats.add(sessionId);
    if (bytes > MOST_BYTES) break;
    kept.push({ of, message });
  }
  return kept.reverse();
}

function curatorMessage(
  { role, kind, by, timestamp: at, text, tool }: TurnMessage,
  mostOfText: number,
): CuratorMessage {
  const most = kind === 'text' ? mostOfText : MOST_OF_TOOL;
  return {
    role,
    ...(by === null ? {} : { by }),
    at,
    text: cutTo(most, text),
    ...(tool === null ? {} : { tool: curatorTool(tool) }),
  };
}

function curatorTool({
  name,
  input,
  isError,
}: NonNullable<TurnMessage['tool']>): NonNullable<CuratorMessage['tool']> {
  const whole = input === undefined ? '' : JSON.stringify(input);
  const cut = cutTo(MOST_OF_TOOL, whole);
  return {
    name,
    ...(input === undefined ? {} : { input: cut === whole ? input : cut }),
    ...(isError === true ? { isError } : {}),
  };
}

function chatsOf(kept: readonly Kept[]): CuratorData['chats'] {
  const chats = new Map<SessionId, { name: string; messages: CuratorMessage[] }>();
  for (const { of, message } of kept) {
    const chat = chats.get(of.sessionId) ?? { name: of.chat, messages: [] };
    chat.messages.push(message);
    chats.set(of.sessionId, chat);
  }
  return [...chats].map(([sessionId, { name, messages }]) => ({ sessionId, name, messages }));
}

function filesOf(texts: CuratedTexts | null): CuratorData['files'] {
  const overview = fileOf(texts, 'OVERVIEW.md', MOST_OF_FILES);
  const left = MOST_OF_FILES - (overview === null ? 0 : shownBytes(overview));
  return { 'OVERVIEW.md': overview, 'CHANGELOG.md': fileOf(texts, 'CHANGELOG.md', left) };
}

function fileOf(texts: CuratedTexts | null, file: CuratedFile, most: number): CuratorFile | null {
  const read = texts?.[file] ?? null;
  if (read === null) return null;
  const name = `.svc/${file}`;
  if (!read.ok) return { fault: sentencesOf(read.issues, name) };
  if (shownBytes(read.value) <= most) return read.value;
  const fault = `${name} is too long to show to the curator in full, so it was not changed. Shorten it yourself.`;
  return { text: cutTo(LITTLE, read.value.text), fault };
}

// The size of a part as the agent reads it, with deeper indentation of each line.
function shownBytes(part: object): number {
  const json = eventJson({ event: 'afterTurn', project: '', data: { part } }, WHOLE);
  return Buffer.byteLength(json) + json.split('\n').length * INDENT;
}

const WHOLE = { maxBytes: Number.MAX_SAFE_INTEGER };
const INDENT = 10;
