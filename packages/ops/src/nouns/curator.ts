import { cutTo } from '@svc/agent-runtime';
import { sentencesOf } from '@svc/core';
import type { CuratedFile, CuratedTexts } from '@svc/projects';
import type { EventData, SessionId, Slug, TurnId } from '@svc/records';
import type { TurnMessage } from '@svc/store';
import type { OpsDeps } from '../deps.ts';

/** Something that was said or done, as a curator is given it. */
export interface CuratorMessage {
  readonly role: TurnMessage['role'];
  /** Who sent it; absent for what nobody sent. */
  readonly by?: string;
  readonly at: string;
  readonly text: string;
  /** `input` is JSON, a text where it was cut. */
  readonly tool?: { readonly name: string; readonly input?: unknown; readonly isError?: boolean };
}

/** The data that a curator is given. */
export interface CuratorData {
  readonly chats: readonly {
    readonly sessionId: SessionId;
    readonly name: string;
    readonly messages: readonly CuratorMessage[];
  }[];
  /** null where there is none; a fault where it cannot be read, nor written. */
  readonly files: Readonly<Record<CuratedFile, CuratorFile | null>>;
  /** How many turns it is about. */
  readonly turns: number;
  /** How many older messages of these turns were left out; absent for none. */
  readonly omitted?: number;
}

type CuratorFile = { readonly text: string; readonly sha256: string } | { readonly fault: string };

/** Most bytes of the messages that a curator is given, as JSON. */
const MOST_BYTES = 96 * 1024;
const MOST_OF_TEXT = 32 * 1024;
const MOST_OF_TOOL = 2 * 1024;

/**
 * What a curator is given: what was said in exactly these turns, given in the order of their ends, the newest messages of
 * at most 96 KiB, and its files as they are now. A message is at most 32 KiB long, a call of a tool and what it gave
 * back 2 KiB, with a mark where they were cut.
 */
export async function curatorData(
  { store, projects }: Pick<OpsDeps, 'store' | 'projects'>,
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
    chats: chatsOf(kept),
    files: filesOf(texts),
    turns: turnIds.length,
    ...(omitted > 0 ? { omitted } : {}),
  };
  return { event: 'afterTurn', project, data: { ...data } };
}

interface Kept {
  readonly of: TurnMessage;
  readonly message: CuratorMessage;
}

function newestOf(messages: readonly TurnMessage[]): readonly Kept[] {
  const kept: Kept[] = [];
  let bytes = 0;
  for (const of of [...messages].reverse()) {
    const message = told(of);
    bytes += Buffer.byteLength(JSON.stringify(message));
    if (bytes > MOST_BYTES) break;
    kept.push({ of, message });
  }
  return kept.reverse();
}

function told({ role, kind, by, timestamp: at, text, tool }: TurnMessage): CuratorMessage {
  const most = kind === 'text' ? MOST_OF_TEXT : MOST_OF_TOOL;
  return {
    role,
    ...(by === null ? {} : { by }),
    at,
    text: cutTo(most, text),
    ...(tool === null ? {} : { tool: toldTool(tool) }),
  };
}

function toldTool({
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
  return {
    'OVERVIEW.md': fileOf(texts, 'OVERVIEW.md'),
    'CHANGELOG.md': fileOf(texts, 'CHANGELOG.md'),
  };
}

function fileOf(texts: CuratedTexts | null, file: CuratedFile): CuratorFile | null {
  const read = texts?.[file] ?? null;
  if (read === null) return null;
  return read.ok ? read.value : { fault: sentencesOf(read.issues, `.svc/${file}`) };
}
