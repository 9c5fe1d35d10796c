import { cutText } from '@svc/agent-runtime';
import { abridged, type Redactor, storable, storableValue } from '@svc/core';
import type { NewMessage } from '@svc/records';
import type { NewChat, Store, TurnEnding, TurnOpening } from '@svc/store';
import { keptNetwork } from './turn-network.ts';

/** Cleans data before it is stored. */
interface Cleaner {
  message(message: NewMessage): NewMessage;
  opening(opening: TurnOpening): TurnOpening;
  ending(ending: TurnEnding): TurnEnding;
  reason(text: string): string;
}

/**
 * A store that removes secrets from transcripts, chat names, event data and runs, removes characters that a database or
 * JSON parser refuses (see `storable`), and truncates transcript texts beyond about 256 KiB with a mark. Prompts are
 * stored unchanged for queued turns.
 */
export function cleanStore(store: Store, redactor: Redactor): Store {
  const clean = createCleaner(redactor);
  const turns: Partial<Store['turns']> = {
    open: (opening) => store.turns.open(clean.opening(opening)),
    openAll: (openings) => store.turns.openAll(openings.map(clean.opening)),
    append: (id, sessionId, messages, at) =>
      store.turns.append(id, sessionId, messages.map(clean.message), at),
    instruct: (instructions, at) =>
      store.turns.instruct({ ...instructions, notice: clean.message(instructions.notice) }, at),
    end: (id, ending, at, notices = []) =>
      store.turns.end(id, clean.ending(ending), at, notices.map(clean.message)),
  };
  const runs: Partial<Store['runs']> = {
    endUnstarted: (id, outcome, reason, at) =>
      store.runs.endUnstarted(id, outcome, clean.reason(reason), at),
    addEnded: (run, outcome, reason) => store.runs.addEnded(run, outcome, clean.reason(reason)),
  };
  return over(store, { turns: over(store.turns, turns), runs: over(store.runs, runs) });
}

// Methods that are not replaced are resolved at each call.
function over<T extends object>(below: T, own: Partial<T>): T {
  return Object.assign(Object.create(below) as T, own);
}

const LONGEST_REASON = 4000;
const LONGEST_INPUT = 1024 * 1024;
// A tool truncates its result and adds a mark.
const SLACK_BYTES = 1024;

function createCleaner(redactor: Redactor): Cleaner {
  const line = (text: string): string => redactor.text(storable(text));
  const deep = <T>(value: T): T => redactor.deep(storableValue(value));
  const reason = (text: string): string => abridged(line(text), LONGEST_REASON);
  const message = ({ text, tool, ...rest }: NewMessage): NewMessage => ({
    ...rest,
    text: keptText(redactor, text),
    tool: tool === null ? null : shortenedTool(deep(tool)),
  });
  const cleanChat = ({ instructions, ...chat }: NewChat): NewChat => ({
    ...chat,
    name: line(chat.name),
    ...(instructions === undefined ? {} : { instructions: keptText(redactor, instructions) }),
  });
  return {
    reason,
    message,
    opening: (opening) => ({
      ...opening,
      context: deep(opening.context ?? null),
      chat: opening.chat === null ? null : cleanChat(opening.chat),
      messages: opening.messages.map(message),
    }),
    ending: (ending) => ({
      ...ending,
      reason: ending.reason === null ? null : reason(ending.reason),
      denied: deep(ending.denied),
      network: ending.network === null ? null : keptNetwork(ending.network, line),
      model: ending.model === null ? null : line(ending.model),
    }),
  };
}

/** The stored form of a transcript text. */
export function keptText(redactor: Redactor, text: string): string {
  return shortened(redactor.text(storable(text)));
}

function shortened(text: string): string {
  const cut = cutText(text);
  const isLittle = cut !== text && Buffer.byteLength(text) - Buffer.byteLength(cut) < SLACK_BYTES;
  return isLittle ? text : cut;
}

function shortenedTool(tool: NonNullable<NewMessage['tool']>): NonNullable<NewMessage['tool']> {
  if (tool.input === undefined) return tool;
  const input = shortenedInput(tool.input);
  const length = JSON.stringify(input)?.length ?? 0;
  return { ...tool, input: length > LONGEST_INPUT ? cutText(JSON.stringify(input)) : input };
}

// Most calls are small; only the texts of large ones are checked one by one.
function shortenedInput(input: unknown): unknown {
  if (typeof input === 'string') return shortened(input);
  if (typeof input !== 'object' || input === null) return input;
  if (Array.isArray(input)) return input.map(shortenedInput);
  return Object.fromEntries(
    Object.entries(input).map(([key, part]) => [key, shortenedInput(part)]),
  );
}
