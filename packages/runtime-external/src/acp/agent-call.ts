import { cutText, MAX_RESULT_BYTES, toolResultMessage, toolUseMessage } from '@svc/agent-runtime';
import { abridged, newId } from '@svc/core';
import type { NewMessage } from '@svc/records';
import { type CallFields, catalogueNames, type ToolFacts, toolFacts } from './catalogue-names.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

const MAX_NAME_LENGTH = 200;

/** What an agent has reported about a tool call. */
export interface AgentCall {
  /** All reported fields; later values replace earlier ones. Empty after the call has ended. */
  facts: CallFields;
  readonly callId: string;
  /** The name in the transcript; null until the call is shown. */
  name: string | null;
  shown: boolean;
  ended: boolean;
  /** Whether the agent asked for permission. */
  asked: boolean;
  /** Why the call was refused; null if it was not. */
  refusal: string | null;
}

export function newCall(): AgentCall {
  return {
    facts: {},
    callId: newId(),
    name: null,
    shown: false,
    ended: false,
    asked: false,
    refusal: null,
  };
}

/** Merges an update into a call. Absent and null fields leave the known values. */
export function applyUpdate(call: AgentCall, update: CallFields): void {
  const fields = Object.entries(update).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  call.facts = { ...call.facts, ...Object.fromEntries(fields) };
}

/** The name of a call in the transcript: the catalogue name if it is unambiguous. Fixed once computed. */
export function callName(call: AgentCall): string {
  call.name ??= nameFrom(toolFacts(call.facts));
  return call.name;
}

function nameFrom(facts: ToolFacts): string {
  const [name, ...others] = catalogueNames(facts);
  if (name !== undefined && others.length === 0) return name;
  return abridged(facts.name ?? (facts.title || facts.kind), MAX_NAME_LENGTH);
}

/** The message that shows a call. */
export function callMessage(call: AgentCall): NewMessage {
  const { rawInput, title, locations } = call.facts;
  const paths = listOf(locations).map(({ path }) => path);
  const input = rawInput ?? { title, ...(paths.length > 0 && { paths }) };
  const text = JSON.stringify(input) ?? '';
  const shown = Buffer.byteLength(text) > MAX_RESULT_BYTES ? { cut: cutText(text) } : input;
  return toolUseMessage(call.callId, callName(call), shown);
}

/** The message that shows the result of a call. */
export function resultMessage(call: AgentCall): NewMessage {
  const text = call.refusal ?? resultText(call.facts);
  const isError = call.refusal !== null || call.facts.status === 'failed';
  return toolResultMessage(call.callId, callName(call), cutText(text), isError);
}

function resultText({ content, rawOutput }: CallFields): string {
  const texts = listOf(content)
    .map(contentText)
    .filter((text) => text !== '');
  if (texts.length > 0) return texts.join('\n');
  if (typeof rawOutput === 'string') return rawOutput;
  const output = fieldsOf(rawOutput);
  const blocks = listOf(fieldsOf(output['result'])['content'] ?? output['content']);
  const text = textOf(blocks.map(blockText).join('\n')) ?? textOf(output['output']);
  return text ?? (rawOutput === undefined ? '' : JSON.stringify(rawOutput));
}

function contentText({ type, content, path }: Fields): string {
  if (type === 'diff') return `Changed ${textOf(path) ?? 'a file'}.`;
  return type === 'content' ? blockText(fieldsOf(content)) : '';
}

/** The text of a content block, or else its type in brackets. */
export function blockText(block: Fields): string {
  const { type, text, uri, resource } = block;
  if (type === 'text') return typeof text === 'string' ? text : '';
  const embedded = fieldsOf(resource);
  return (
    textOf(embedded['text']) ??
    textOf(uri) ??
    textOf(embedded['uri']) ??
    `[${textOf(type) ?? 'content'}]`
  );
}
