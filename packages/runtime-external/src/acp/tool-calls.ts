import { cutText, MAX_RESULT_BYTES, toolResultMessage, toolUseMessage } from '@svc/agent-runtime';
import { abridged, newId } from '@svc/core';
import type { NewMessage } from '@svc/records';
import { catalogueNames, type ToolFacts, toolFacts } from './catalogue-names.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

const LONGEST_NAME = 200;

/** One tool call of an agent, as far as it is known. */
export interface AgentCall {
  /** Everything that was told of it, later words over earlier ones; empty once it has ended. */
  facts: Fields;
  readonly callId: string;
  /** Its name in the transcript; null until it is shown. */
  name: string | null;
  shown: boolean;
  ended: boolean;
  /** Whether the agent asked before it ran. */
  asked: boolean;
  /** Why it was refused; null where it was not. */
  refusal: string | null;
}

/** Makes a call of which nothing is known. */
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

/** Takes what is told of a call; what is not told stays. */
export function learn(call: AgentCall, update: Fields): void {
  const told = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
  call.facts = { ...call.facts, ...Object.fromEntries(told) };
}

/** The name that a call has in a transcript: that of the catalogue where it is clear. The same from its showing on. */
export function callName(call: AgentCall): string {
  call.name ??= shownName(toolFacts(call.facts));
  return call.name;
}

function shownName(facts: ToolFacts): string {
  const [name, ...others] = catalogueNames(facts);
  if (name !== undefined && others.length === 0) return name;
  return abridged(facts.name ?? (facts.title || facts.kind), LONGEST_NAME);
}

/** Whether enough is known of a call to show it. */
export function isClear(call: AgentCall): boolean {
  return call.facts['status'] === 'in_progress';
}

/** A call as a message. */
export function callMessage(call: AgentCall): NewMessage {
  const { rawInput, title, locations } = call.facts;
  const paths = listOf(locations).map(({ path }) => path);
  const input = rawInput ?? { title, ...(paths.length > 0 && { paths }) };
  const text = JSON.stringify(input) ?? '';
  const shown = Buffer.byteLength(text) > MAX_RESULT_BYTES ? { cut: cutText(text) } : input;
  return toolUseMessage(call.callId, callName(call), shown);
}

/** The end of a call as a message. */
export function resultMessage(call: AgentCall): NewMessage {
  const text = call.refusal ?? resultText(call.facts);
  const isError = call.refusal !== null || call.facts['status'] === 'failed';
  return toolResultMessage(call.callId, callName(call), cutText(text), isError);
}

function resultText({ content, rawOutput }: Fields): string {
  const told = listOf(content)
    .map(contentText)
    .filter((text) => text !== '');
  if (told.length > 0) return told.join('\n');
  if (typeof rawOutput === 'string') return rawOutput;
  const output = fieldsOf(rawOutput);
  const blocks = listOf(fieldsOf(output['result'])['content'] ?? output['content']);
  const words = textOf(blocks.map(blockText).join('\n')) ?? textOf(output['output']);
  return words ?? (rawOutput === undefined ? '' : JSON.stringify(rawOutput));
}

function contentText({ type, content, path }: Fields): string {
  if (type === 'diff') return `Changed ${textOf(path) ?? 'a file'}.`;
  return type === 'content' ? blockText(fieldsOf(content)) : '';
}

/** The text of a content block; of one without text its kind in brackets. */
export function blockText(block: Fields): string {
  const { type, text, uri, resource } = block;
  if (type === 'text') return typeof text === 'string' ? text : '';
  const within = fieldsOf(resource);
  return (
    textOf(within['text']) ??
    textOf(uri) ??
    textOf(within['uri']) ??
    `[${textOf(type) ?? 'content'}]`
  );
}
