import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The events of a traced program, in the order in which they took effect. */
export type Effect =
  | { readonly kind: 'open'; readonly path: string; readonly empties: boolean }
  /** At its offset; without one after the last write to this path since it was opened, with `append` at its end. */
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly at: number | null;
      readonly data: Buffer;
    }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'link'; readonly from: string; readonly to: string }
  /** A sync starts; its data is durable from the `synced` with the same id on. */
  | { readonly kind: 'syncing'; readonly path: string; readonly id: number }
  | { readonly kind: 'synced'; readonly path: string; readonly id: number }
  /** Bytes are about to be sent. */
  | { readonly kind: 'sending'; readonly data: Buffer };

const TRACED =
  '?open,openat,?creat,write,writev,pwrite64,pwritev,pwritev2,?rename,renameat,renameat2,?unlink,unlinkat,?rmdir,?mkdir,mkdirat,ftruncate,truncate,fsync,fdatasync,?link,linkat,fallocate,copy_file_range,sendfile';

/** The command line that traces a program, for `spawn`. */
export function traced(output: string, command: readonly string[]): string[] {
  const how = ['-f', '-y', '-xx', '-s', '4194304', '--seccomp-bpf', '-e', 'signal=none'];
  return ['strace', ...how, '-o', output, '-e', `trace=${TRACED}`, ...command];
}

/** Parses the output of `strace` for files below a folder, one file next to it, and sockets. */
export async function* effectsIn(
  trace: string,
  isWanted: (path: string) => boolean,
): AsyncGenerator<Effect> {
  const begun = new Map<string, Call>();
  let id = 0;
  for await (const line of createInterface({ input: createReadStream(trace, 'latin1') })) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    if (resumed !== undefined) {
      const call = begun.get(pid);
      if (call !== undefined) yield* after(call.text + resumed, call.id, isWanted);
      continue;
    }
    id += 1;
    yield* before(rest, id, isWanted);
    const unfinished = / <unfinished \.\.\.>$/.exec(rest);
    if (unfinished === null) yield* after(rest, id, isWanted);
    else begun.set(pid, { text: rest.slice(0, unfinished.index), id });
  }
}

interface Call {
  readonly text: string;
  readonly id: number;
}

const SENDING = /^writev?\(\d+<(?:\\x73\\x6f\\x63\\x6b\\x65\\x74|\\x54\\x43\\x50)/;

function* before(call: string, id: number, isWanted: (path: string) => boolean): Generator<Effect> {
  if (SENDING.test(call)) yield { kind: 'sending', data: dataOf(call) };
  const [, path = ''] = /^f(?:data)?sync\(\d+<([^>]*)>/.exec(call) ?? [];
  if (path !== '' && isWanted(unhex(path))) yield { kind: 'syncing', path: unhex(path), id };
}

function* after(call: string, id: number, isWanted: (path: string) => boolean): Generator<Effect> {
  const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+.*)$/.exec(call) ?? [];
  if (name === '' || result.startsWith('-')) return;
  const effect = effectOf(name, args, result, id);
  if (effect === null) return;
  const paths = 'from' in effect ? [effect.from, effect.to] : 'path' in effect ? [effect.path] : [];
  if (paths.some(isWanted)) yield effect;
}

function effectOf(name: string, args: string, result: string, id: number): Effect | null {
  const at = unhex(/^\d+<([^>]*)>/.exec(args)?.[1] ?? '');
  const names = [...args.matchAll(/"([^"]*)"/g)].map(([, text = '']) => unhex(text));
  const [first = '', second = ''] = names;
  const last = Number(/(-?\d+)$/.exec(args)?.[1]);
  switch (name) {
    case 'open':
    case 'openat':
    case 'creat': {
      const opened = unhex(/<([^>]*)>/.exec(result)?.[1] ?? '');
      if (!/O_CREAT|O_TRUNC/.test(args) && name !== 'creat') return null;
      return { kind: 'open', path: opened, empties: name === 'creat' || args.includes('O_TRUNC') };
    }
    case 'write':
    case 'writev':
      return {
        kind: 'write',
        path: at,
        at: null,
        data: dataOf(args).subarray(0, Number.parseInt(result, 10)),
      };
    case 'pwrite64':
      return {
        kind: 'write',
        path: at,
        at: last,
        data: dataOf(args).subarray(0, Number.parseInt(result, 10)),
      };
    case 'ftruncate':
      return { kind: 'truncate', path: at, size: last };
    case 'mkdir':
    case 'mkdirat':
      return { kind: 'folder', path: first };
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return { kind: 'remove', path: first };
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return { kind: 'rename', from: first, to: second };
    case 'link':
    case 'linkat':
      return { kind: 'link', from: first, to: second };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'synced', path: at, id };
    default:
      throw new Error(`The trace has an unknown call: ${name}(${args.slice(0, 200)})`);
  }
}

function dataOf(call: string): Buffer {
  return Buffer.concat(
    [...call.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text = '']) => bytesOf(text)),
  );
}

function unhex(text: string): string {
  return bytesOf(text).toString();
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
