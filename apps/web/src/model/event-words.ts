import type { LifecycleEvent } from '../data/shapes.ts';
import { inertText } from './inert.ts';
import { actorText } from './run-words.ts';

/** The kinds of events, in words, as a filter tells them. */
export const EVENT_KINDS: Readonly<Record<LifecycleEvent['event'], string>> = {
  onArchive: 'Chats archived',
  afterTurn: 'Turns ended',
};

/** Describes an event in a sentence; the name of the chat goes between the two parts. */
export function eventWords({
  event,
  by,
}: LifecycleEvent): readonly [before: string, after: string] {
  return event === 'onArchive'
    ? ['Chat ', ` was archived by ${actorText(by)}.`]
    : ['Turn in chat ', ' ended.'];
}

/** What a run was started by, likewise; a curator's run is about all turns since the one of its event. */
export function firedWords({
  event,
  by,
}: LifecycleEvent): readonly [before: string, after: string] {
  return event === 'onArchive'
    ? ['Started when chat ', ` was archived by ${actorText(by)}.`]
    : ['Reviews the turns of people from the one in chat ', '.'];
}

/** The same in a few words, for lists of runs. */
export function firedBriefly({ event }: LifecycleEvent): readonly [before: string, after: string] {
  return event === 'onArchive' ? ['after ', ' was archived'] : ['after a turn in ', ''];
}

/** The name of a chat as it stands in a sentence. */
export function quotedName(chat: string): string {
  return `“${inertText(chat)}”`;
}

const MOST_CHARACTERS = 32;

/** The name of a chat, cut with a mark where it is long. */
export function cutName(chat: string): string {
  const characters = [...chat];
  if (characters.length <= MOST_CHARACTERS) return chat;
  return `${characters.slice(0, MOST_CHARACTERS).join('').trimEnd()}…`;
}

/** What an event waits for that has not been dispatched yet; `isBroken`: project.yaml cannot be read. */
export function waitsText({ event }: LifecycleEvent, isBroken: boolean): string {
  if (isBroken) return 'Waiting: project.yaml cannot be read.';
  return event === 'afterTurn'
    ? 'Waiting: the curator starts at a pause between turns.'
    : 'Queued.';
}
