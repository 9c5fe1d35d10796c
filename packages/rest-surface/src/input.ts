import type { Issue } from '@svc/core';
import { PATH_PARAMETERS } from '@svc/ops';
import type { Request } from 'express';
import { ABORTED, readBody } from './body.ts';
import type { Refusal } from './errors.ts';
import { fieldOf, operationOf, type RouteFacts } from './route.ts';

type Input = Readonly<Record<string, unknown>>;

/** The input from a request. */
export interface ReadInput {
  readonly input: Input;
  /** Issues that only the surface can detect. */
  readonly faults: readonly Issue[];
  /** Whether the issues prevented reading a part of the request. */
  readonly partial: boolean;
  /** An issue with a response of its own; it is in `faults` too. */
  readonly refusal: Refusal | null;
}

/**
 * Reads the input of the operation of a route from the path, query, headers and body; null: the client
 * disconnected.
 */
export async function readInput(route: RouteFacts, request: Request): Promise<ReadInput | null> {
  const { address, faults } = readAddress(route, request);
  if (faults.length > 0) return { input: address, faults, partial: true, refusal: null };
  const body = await readBody(request);
  if (!body.ok) {
    if (body.error === ABORTED) return null;
    const refusal = body.error;
    const { issues = [{ path: '', message: refusal.message }] } = refusal;
    const own = refusal.code === 'invalid' ? null : refusal;
    return { input: address, faults: issues, partial: true, refusal: own };
  }
  if (body.value === null && route.body?.required === true) {
    return { input: address, faults: [BODY_MISSING], partial: true, refusal: null };
  }
  return withBody(route, address, body.value ?? {});
}

/** The whole input: the part from the address, and the body. */
export function withBody(route: RouteFacts, address: Input, body: object): ReadInput {
  const fields = bodyFields(route, body);
  const input = { ...fields.values, ...address };
  return { input, faults: fields.faults, partial: false, refusal: null };
}

/** The parts of a request besides its body. */
export type Addressed = Pick<Request, 'url' | 'params' | 'headers'>;

/** The part of the input from the path, query and headers. */
export function readAddress(
  route: RouteFacts,
  request: Addressed,
): { readonly address: Input; readonly faults: readonly Issue[] } {
  const segments = Object.entries(request.params as Record<string, string>).map(
    ([segment, text]) => [PATH_PARAMETERS[segment]?.field ?? segment, text] as const,
  );
  const query = readQuery(route, request);
  const address = {
    ...query.values,
    ...headerFields(route, request),
    ...Object.fromEntries(segments),
  };
  return { address, faults: query.faults };
}

function headerFields({ headers = {} }: RouteFacts, request: Addressed): Input {
  const given = Object.entries(headers).flatMap(([name, spec]) => {
    const text = request.headers[name.toLowerCase()];
    return 'field' in spec && text !== undefined ? [[spec.field, text] as const] : [];
  });
  return Object.fromEntries(given);
}

interface Fields {
  readonly values: Input;
  readonly faults: readonly Issue[];
}

function readQuery(route: RouteFacts, { url }: Addressed): Fields {
  const from = url.indexOf('?');
  const given = new URLSearchParams(from === -1 ? '' : url.slice(from + 1));
  const known = route.query ?? {};
  const values: Record<string, unknown> = {};
  const faults: Issue[] = [];
  for (const name of new Set(given.keys())) {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    const fault = field === undefined ? unknownFault(known) : valueFault(given.getAll(name));
    if (fault !== null) faults.push({ path: name, message: fault });
    if (field === undefined || fault !== null) continue;
    values[field] = readValue(fieldOf(route, field)['type'], given.get(name) ?? '');
  }
  return { values, faults };
}

function unknownFault(parameters: Readonly<Record<string, string>>): string {
  const known = Object.keys(parameters);
  const choice =
    known.length === 0
      ? 'This endpoint has no parameters'
      : `Known parameters: ${known.join(', ')}`;
  return `is not a known parameter. ${choice}.`;
}

function valueFault(texts: readonly string[]): string | null {
  if (texts.length > 1) return 'must be given only once.';
  return texts[0]?.includes('\0') ? 'must not contain a NUL character.' : null;
}

// A text that is not a number or boolean is left to the operation to refuse.
function readValue(type: unknown, text: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (type === 'array') return text.split(',');
  return text;
}

const BODY_MISSING: Issue = { path: '', message: 'must have a JSON object as its body.' };

function bodyFields({ body, ...route }: RouteFacts, given: object): Fields {
  if (body === undefined) return { values: {}, faults: [] };
  if ('field' in body) return { values: { [body.field]: given }, faults: [] };
  // Fields from the path must not be in the body. Unknown names are reported by the operation.
  const strays = Object.keys(operationOf(route).input.properties).filter(
    (name) => !body.fields.includes(name) && Object.hasOwn(given, name),
  );
  if (strays.length === 0) return { values: given as Input, faults: [] };
  const entries = Object.entries(given).filter(([name]) => !strays.includes(name));
  return {
    values: Object.fromEntries(entries),
    faults: strays.map((path) => ({ path, message: 'is not a known field.' })),
  };
}

/** An issue with the name of the request: the parameter instead of the field. */
export function ofRequest({ query = {} }: RouteFacts, issue: Issue): Issue {
  const parameter = Object.entries(query).find(
    ([, field]) => issue.path === field || issue.path.startsWith(`${field}[`),
  )?.[0];
  // An entry of a list is reported as its parameter.
  return parameter === undefined ? issue : { ...issue, path: parameter };
}
