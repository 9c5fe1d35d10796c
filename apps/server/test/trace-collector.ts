import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector received it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  /** 1 internal, 3 client, 5 consumer. */
  readonly kind: number;
  /** Milliseconds since the epoch. */
  readonly begin: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 0 unset, 2 error. */
  readonly status: number;
  readonly message: string;
  /** Attributes of the sender. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A trace collector for OTLP over HTTP with protobuf. */
export interface Collector {
  /** Its endpoint for traces. */
  readonly url: string;
  readonly origin: string;
  /** In order of arrival. */
  readonly spans: CollectedSpan[];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Its next answers. Default: 200; spans of requests with other answers are not stored. */
  respond: ((response: ServerResponse) => void) | null;
}

export async function withCollector(test: (collector: Collector) => Promise<void>): Promise<void> {
  const spans: CollectedSpan[] = [];
  const requests: Collector['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ path: request.url ?? '', headers: request.headers });
    if (collector.respond !== null) return collector.respond(response);
    spans.push(...spansIn(Buffer.concat(chunks)));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const collector: Collector = {
    ...{ url: `${origin}/v1/traces`, origin, spans, requests },
    respond: null,
  };
  try {
    await test(collector);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

// The wire format of protocol buffers: https://protobuf.dev/programming-guides/encoding/
function fieldsIn(bytes: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value =
      (tag & 7) === 0
        ? varint()
        : take((tag & 7) === 1 ? 8 : (tag & 7) === 5 ? 4 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const parts = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((bytes) => fieldsIn(bytes as Buffer));
const bytesOf = (fields: Fields, number: number): Buffer =>
  (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const textOf = (fields: Fields, number: number): string => bytesOf(fields, number).toString();
const numberOf = (fields: Fields, number: number): number => Number(fields.get(number)?.[0] ?? 0);
const millisOf = (fields: Fields, number: number): number =>
  // To the microsecond, the precision of such a number.
  Math.round(Number(bytesOf(fields, number).readBigUInt64LE()) / 1e3) / 1e3;

function plainOf(any: Fields): unknown {
  if (any.has(1)) return textOf(any, 1);
  if (any.has(2)) return numberOf(any, 2) === 1;
  if (any.has(3)) return numberOf(any, 3);
  return any.has(4) ? bytesOf(any, 4).readDoubleLE() : null;
}

function attributesOf(fields: Fields, number: number): Record<string, unknown> {
  const pairs = parts(fields, number).map((pair) => {
    const [value] = parts(pair, 2);
    return [textOf(pair, 1), value === undefined ? null : plainOf(value)];
  });
  return Object.fromEntries(pairs);
}

// Field numbers from opentelemetry/proto/trace/v1/trace.proto.
function spansIn(body: Buffer): CollectedSpan[] {
  return parts(fieldsIn(body), 1).flatMap((group) => {
    const [resource] = parts(group, 1);
    const about = resource === undefined ? {} : attributesOf(resource, 1);
    return parts(group, 2).flatMap((scope) =>
      parts(scope, 2).map((span) => {
        const [status] = parts(span, 15);
        return {
          traceId: bytesOf(span, 1).toString('hex'),
          id: bytesOf(span, 2).toString('hex'),
          parent: bytesOf(span, 4).toString('hex'),
          name: textOf(span, 5),
          kind: numberOf(span, 6),
          begin: millisOf(span, 7),
          end: millisOf(span, 8),
          attributes: attributesOf(span, 9),
          status: status === undefined ? 0 : numberOf(status, 3),
          message: status === undefined ? '' : textOf(status, 2),
          resource: about,
        };
      }),
    );
  });
}
