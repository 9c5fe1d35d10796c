import type { LifecycleEvent } from '../data/api-types.ts';
import { inertText } from './inert-text.ts';
import { actorText } from './run-text.ts';

/** The kinds of events, as the filter names them. */
export const EVENT_KINDS: Readonly<Record<LifecycleEvent['event'], string>> = {
  onArchive: 'Chats archived',
  afterTurn: 'Turns ended',
};

/** Describes an event in a sentence; the name of the chat goes between the two parts. */
export function eventText({ event, by }: LifecycleEvent): readonly [before: string, after: string] {
  return event === 'onArchive'
    ? ['Chat ', ` was archived by ${actorText(by)}.`]
    : ['Turn in chat ', ' ended.'];
}

/** Describes the event that started a run in the same form. A curator run covers all turns since the one of its event. */
export function firedText({ event, by }: LifecycleEvent): readonly [before: string, after: string] {
  return event === 'onArchive'
    ? ['Started when chat ', ` was archived by ${actorText(by)}.`]
    : ['Covers all turns of people since the one in chat ', '.'];
}

/** The short form for lists of runs. */
export function firedShortText({
  event,
}: LifecycleEvent): readonly [before: string, after: string] {
  return event === 'onArchive' ? ['after ', ' was archived'] : ['after a turn in ', ''];
}

/** Quotes the name of a chat for a sentence. */
export function quotedName(chat: string): string {
  return `“${inertText(chat)}”`;
}

const MOST_CHARACTERS = 32;

/** Shortens a long chat name. */
export function shortName(chat: string): string {
  const characters = [...chat];
  if (characters.length <= MOST_CHARACTERS) return chat;
  return `${characters.slice(0, MOST_CHARACTERS).join('').trimEnd()}…`;
}

/** Why an event has not been dispatched yet; `isBroken`: project.yaml cannot be read. */
export function waitsText({ event }: LifecycleEvent, isBroken: boolean): string {
  if (isBroken) return 'Waiting: project.yaml cannot be read.';
  return event === 'afterTurn' ? 'Waiting: the curator runs when the chats are idle.' : 'Queued.';
}
