import { stat } from 'node:fs/promises';
import { type Clock, failure, type Result, success } from '@svc/core';
import { type AgentUser, folderAccessDenied } from '../agent-user.ts';
import type { Folder, FolderEntry, FolderFault, FolderVisit, Visited } from '../folder.ts';
import { type FileHelper, startFileHelper } from './file-helper-process.ts';
import type { FileRequest } from './file-wire.ts';
import type { Frame } from './frames.ts';
import { failed, MAX_PATH } from './resolved-path.ts';
import { sleep } from './sleep.ts';

/** The folder of one turn, and the user that works in it. */
export interface RemotePlace {
  readonly user: AgentUser;
  readonly cwd: string;
  /** The environment variables that mark the processes of the turn. */
  readonly marks: Readonly<Record<string, string>>;
  /** Aborts with the turn. */
  readonly signal: AbortSignal;
}

type Asked = Result<Frame, FolderFault>;
type Ask = (request: FileRequest, ...parts: readonly Uint8Array[]) => Promise<Asked>;

// How long a write in progress may take after the turn is stopped.
const GRACE_MS = 1000;
const KINDS: readonly unknown[] = ['file', 'folder', 'link', 'other'];

/**
 * Opens a project folder for the file tools of one turn through a process of another user, which starts at the first
 * call; null if the folder is missing or not a folder.
 */
export async function openFolderAs(
  { clock }: { readonly clock: Clock },
  place: RemotePlace,
): Promise<Folder | null> {
  const found = await stat(place.cwd).catch(() => null);
  if (!found?.isDirectory()) return null;
  const helpers = createHelpers(clock, place);
  const ask: Ask = async (request, ...parts) => {
    if ('path' in request && request.path.length > MAX_PATH) {
      return failure(failed('The path is too long.'));
    }
    const helper = await helpers.take();
    return helper.ok ? answerOf(await helper.value.ask(request, ...parts)) : helper;
  };
  return {
    read: (path, maxBytes) => readBy(ask, path, maxBytes),
    async write(path, content, { rights, instead }) {
      const request = {
        op: 'write',
        path,
        runsAs: rights.runsAs,
        instead: instead?.length ?? null,
      } as const;
      const asked = await ask(request, content, ...(instead === undefined ? [] : [instead]));
      if (!asked.ok) return asked;
      const { created, place: written, folders } = asked.value.head;
      return success({
        created: created === true,
        place: String(written),
        folders: Number(folders) || 0,
      });
    },
    visit: (path, options, on) => visitBy(ask, path, options, on),
    close: () => helpers.close(),
  };
}

// At most one helper runs at a time. One that has exited is replaced.
function createHelpers(clock: Clock, place: RemotePlace) {
  let current: FileHelper | null = null;
  let opened: Promise<Result<FileHelper, FolderFault>> | null = null;
  const closing = new AbortController();
  const stop = (): void => {
    const helper = current;
    if (helper === null) return;
    void helper.ask({ op: 'stop' });
    void sleep(clock, GRACE_MS, closing.signal).then(() => helper.end());
  };
  place.signal.addEventListener('abort', stop, { once: true });
  return {
    async take(): Promise<Result<FileHelper, FolderFault>> {
      if (place.signal.aborted) return failure(failed('The turn was stopped.'));
      if (current === null || current.ended) {
        current = startFileHelper(clock, place.user, place.marks);
        opened = openIn(current, place);
      }
      return opened ?? failure(failed('The turn was stopped.'));
    },
    async close(): Promise<void> {
      place.signal.removeEventListener('abort', stop);
      closing.abort();
      await current?.end();
    },
  };
}

async function openIn(
  helper: FileHelper,
  { user, cwd }: RemotePlace,
): Promise<Result<FileHelper, FolderFault>> {
  const asked = answerOf(await helper.ask({ op: 'open', cwd }));
  if (!asked.ok) return asked;
  const { folder } = asked.value.head;
  if (folder === 'open') return success(helper);
  return failure(
    failed(folder === 'closed' ? folderAccessDenied(user) : 'The project folder is gone.'),
  );
}

function answerOf(answer: Result<Frame, string>): Asked {
  if (!answer.ok) return failure(failed(answer.error));
  const { ok, kind, reason } = answer.value.head;
  if (ok === true) return answer;
  return failure({ kind: kind === 'refused' ? 'refused' : 'failed', reason: String(reason) });
}

async function readBy(
  ask: Ask,
  path: string,
  maxBytes: number,
): Promise<Result<{ bytes: Buffer; place: string }, FolderFault>> {
  const asked = await ask({ op: 'read', path, maxBytes });
  if (!asked.ok) return asked;
  const { head, body } = asked.value;
  return success({ bytes: body.subarray(0, maxBytes), place: String(head['place']) });
}

async function visitBy(
  ask: Ask,
  path: string,
  { signal, skip }: FolderVisit,
  on: (entry: FolderEntry) => Promise<'go' | 'stop'>,
): Promise<Result<Visited, FolderFault>> {
  let asked = await ask({ op: 'visit', path, skip: [...skip] });
  const visit = asked.ok ? Number(asked.value.head['id']) : 0;
  for (;;) {
    if (!asked.ok) return asked;
    const { entries, cut } = asked.value.head;
    for (const entry of entriesOf(ask, entries)) {
      if (!signal.aborted && (await on(entry)) === 'go') continue;
      await ask({ op: 'leave', visit });
      return success({ cut: false });
    }
    if (cut !== null) return success({ cut: cut === true });
    asked = await ask({ op: 'more', visit });
  }
}

function* entriesOf(ask: Ask, given: unknown): Generator<FolderEntry> {
  for (const entry of Array.isArray(given) ? (given as Partial<FolderEntry>[]) : []) {
    const { below, place, kind } = entry;
    if (typeof below !== 'string' || typeof place !== 'string' || !KINDS.includes(kind)) continue;
    yield {
      below,
      place,
      kind: kind ?? 'other',
      async read(maxBytes) {
        const read = kind === 'file' ? await readBy(ask, place, maxBytes) : null;
        return read?.ok ? read.value.bytes : null;
      },
    };
  }
}
