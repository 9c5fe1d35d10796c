import { createSocket, type Socket } from 'node:dgram';

/** What a name server answers for a name: addresses, `none` (no such name), `fault` (it cannot tell) or `silent`. */
export type DnsAnswer = readonly string[] | 'none' | 'fault' | 'silent';

export interface DnsServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Questions so far, such as `A a.example`. */
  readonly questions: readonly string[];
  close(): void;
}

const CODES = { none: 3, fault: 2 } as const;

/** Starts a name server that answers as `answerOf` says. It is asked for IPv4 and IPv6 addresses apart. */
export async function startDnsServer(
  answerOf: (name: string, kind: 'A' | 'AAAA') => DnsAnswer,
): Promise<DnsServer> {
  const socket: Socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, from) => {
    const { name, end } = nameOf(query);
    const kind = query.readUInt16BE(end) === 1 ? 'A' : 'AAAA';
    questions.push(`${kind} ${name}`);
    const answer = answerOf(name, kind);
    if (answer === 'silent') return;
    const records = typeof answer === 'string' ? [] : answer;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? CODES[answer] : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const question = query.subarray(12, end + 4);
    socket.send(Buffer.concat([head, question, ...records.map(recordOf)]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => socket.close(),
  };
}

function nameOf(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** A record whose name is that of the question. IPv6 addresses are written in full. */
function recordOf(address: string): Buffer {
  const data = address.includes(':')
    ? Buffer.from(address.replaceAll(':', ''), 'hex')
    : Buffer.from(address.split('.').map(Number));
  const type = data.length === 4 ? 1 : 28;
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}
