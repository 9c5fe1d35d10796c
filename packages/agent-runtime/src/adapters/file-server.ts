import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { failure, messageOf, type Result, success } from '@svc/core';
import { fileRights } from '../file-rights.ts';
import type { Folder, FolderFault } from '../folder.ts';
import { codeOf } from './error-code.ts';
import type { FileHelperState, FileRequest } from './file-wire.ts';
import { openFolder } from './folder.ts';
import { createFrameReader, encodeFrame, type Frame } from './frames.ts';
import { failed } from './resolved-path.ts';
import { type VisitBatches, visitInBatches } from './visit-batches.ts';

interface Reply {
  readonly head: object;
  readonly body?: Uint8Array;
}

interface Desk {
  folder: Folder | null;
  readonly stop: AbortController;
  readonly visits: Map<number, VisitBatches>;
}

/** Serves the files of one folder to the peer of the channel until the channel closes. */
export function serveFiles(channel: Duplex, uid: number): void {
  const desk: Desk = { folder: null, stop: new AbortController(), visits: new Map() };
  const reply = async ({ head, body }: Frame): Promise<void> => {
    const { id, ...request } = head as unknown as FileRequest & { id: number };
    const { head: answer, body: bytes } = await answerTo(desk, uid, id, request, body);
    channel.write(encodeFrame({ ...answer, id }, ...(bytes === undefined ? [] : [bytes])));
  };
  const read = createFrameReader((frame) => void reply(frame));
  channel.on('data', (chunk: Buffer) => {
    if (!read(chunk)) channel.destroy();
  });
}

async function answerTo(
  desk: Desk,
  uid: number,
  id: number,
  request: FileRequest,
  body: Buffer,
): Promise<Reply> {
  try {
    if (request.op === 'open') return { head: { ok: true, ...(await open(desk, uid, request)) } };
    if (request.op === 'stop') desk.stop.abort();
    const result = await work(desk, id, request, body);
    return result.ok ? result.value : { head: { ok: false, ...result.error } };
  } catch (error) {
    return { head: { ok: false, ...failed(`${messageOf(error)}.`) } };
  }
}

async function open(
  desk: Desk,
  uid: number,
  { cwd }: Extract<FileRequest, { op: 'open' }>,
): Promise<FileHelperState> {
  const closed = await access(cwd, constants.R_OK | constants.X_OK).then(
    () => false,
    (error: unknown) => ['EACCES', 'EPERM'].includes(codeOf(error)),
  );
  if (closed) return { uid, folder: 'closed' };
  desk.folder = await openFolder(cwd);
  return { uid, folder: desk.folder === null ? 'missing' : 'open' };
}

async function work(
  { folder, stop, visits }: Desk,
  id: number,
  request: FileRequest,
  body: Buffer,
): Promise<Result<Reply, FolderFault>> {
  if (folder === null) return failure(failed('The project folder is not open.'));
  switch (request.op) {
    case 'read': {
      const read = await folder.read(request.path, request.maxBytes);
      if (!read.ok) return read;
      const { place, bytes } = read.value;
      return success({ head: { ok: true, place }, body: bytes });
    }
    case 'write': {
      const end = body.length - (request.instead ?? 0);
      const rights = fileRights(request);
      const instead = request.instead === null ? {} : { instead: body.subarray(end) };
      const options = { rights, signal: stop.signal, ...instead };
      const written = await folder.write(request.path, body.subarray(0, end), options);
      return written.ok ? success({ head: { ok: true, ...written.value } }) : written;
    }
    case 'visit': {
      const options = { signal: stop.signal, skip: new Set(request.skip) };
      visits.set(id, visitInBatches(folder, request.path, options));
      return batchOf(visits, id);
    }
    case 'more':
      return batchOf(visits, request.visit);
    case 'leave':
      visits.get(request.visit)?.leave();
      visits.delete(request.visit);
      return success({ head: { ok: true } });
    default:
      return success({ head: { ok: true } });
  }
}

async function batchOf(
  visits: Map<number, VisitBatches>,
  id: number,
): Promise<Result<Reply, FolderFault>> {
  const batch = await visits.get(id)?.next();
  if (batch === undefined) return failure(failed('There is no such visit.'));
  if (!batch.ok || batch.value.cut !== null) visits.delete(id);
  return batch.ok ? success({ head: { ok: true, ...batch.value } }) : batch;
}
