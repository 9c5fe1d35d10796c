import { messageOf } from '@svc/core';
import type { CuratedChange, CuratedEdit, CuratedFile } from '@svc/projects';
import type { EventData, NewMessage } from '@svc/records';
import type { OpenTurn, TurnEnding } from '@svc/store';
import type { OpsDeps } from '../deps.ts';
import { toldChanges } from './curator-diff.ts';
import { parseSections } from './curator-sections.ts';

/** The end of a turn, and what its chat is told with it. */
export interface FinishedTurn {
  readonly ending: TurnEnding;
  readonly notices: readonly NewMessage[];
}

type CuratorDeps = Pick<OpsDeps, 'projects'>;

/** Whether the answer of a turn is one of a curator, of which the service writes files. */
export function isCuratorTurn({ context }: Pick<OpenTurn, 'context'>): boolean {
  return context?.event === 'afterTurn';
}

/**
 * Writes what the sections of a curator's answer say, all of it or, with a fault, nothing; the end of its turn says what
 * came of that. A turn that has not succeeded writes nothing.
 *
 * @param answer All that the agent has said in the turn, as it may be kept.
 */
export async function finishCurator(
  deps: CuratorDeps,
  turn: Pick<OpenTurn, 'project' | 'context'>,
  answer: string,
  ending: TurnEnding,
): Promise<FinishedTurn> {
  if (ending.outcome !== 'succeeded') return { ending, notices: [] };
  const sections = parseSections(answer);
  if (!sections.ok) return failed(ending, sections.error);
  const edits = sections.value.map((section) => ({
    ...section,
    ifHash: hashGiven(turn.context, section.file),
  }));
  const written = await writeEdits(deps, turn.project, edits);
  if (!written.ok) return failed(ending, written.error);
  const [first] = written.value;
  if (first === undefined) return { ending: { ...ending, reason: NOTHING }, notices: [] };
  const { words, diff } = toldChanges(written.value);
  return { ending: { ...ending, reason: words }, notices: [changeNotice(diff)] };
}

const NOTHING = 'It changed nothing.';

function failed(ending: TurnEnding, why: string): FinishedTurn {
  return { ending: { ...ending, outcome: 'failed', reason: `${NOTHING} ${why}` }, notices: [] };
}

type Written =
  | { readonly ok: true; readonly value: readonly CuratedChange[] }
  | { readonly ok: false; readonly error: string };

async function writeEdits(
  { projects }: CuratorDeps,
  project: string,
  edits: readonly CuratedEdit[],
): Promise<Written> {
  if (edits.length === 0) return { ok: true, value: [] };
  return projects.curated
    .write(project, edits)
    .catch((error: unknown) => ({ ok: false, error: messageOf(error) }) as const);
}

/** The hash with which the turn was given a file; null where it was given none. */
function hashGiven(context: EventData | null, file: CuratedFile): string | null {
  const files = context?.data['files'] as Readonly<Record<string, unknown>> | undefined;
  const given = files?.[file] as { readonly sha256?: unknown } | null | undefined;
  return typeof given?.sha256 === 'string' ? given.sha256 : null;
}

// The fence is longer than any that a line of the diff can be taken for.
function changeNotice(diff: string): NewMessage {
  const longest = Math.max(2, ...(diff.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const text = `The service has written what the curator answered.\n${fence}diff\n${diff}\n${fence}`;
  return { role: 'system', kind: 'notice', text, tool: null };
}
