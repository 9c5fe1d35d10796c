import { failure, messageOf, type Result, success } from '@svc/core';
import type { CuratedChange, CuratedEdit } from '@svc/projects';
import type { EventData, NewMessage } from '@svc/records';
import type { OpenTurn, TurnEnding } from '@svc/store';
import type { EngineDeps } from '../deps.ts';
import { isUnavailable } from '../turns/retry-write.ts';
import { describeChanges } from './curator-diff.ts';
import { type CuratorSection, parseSections } from './curator-sections.ts';

/** The end of a turn, and the messages that are added to its chat. */
export interface FinishedTurn {
  readonly ending: TurnEnding;
  readonly notices: readonly NewMessage[];
}

type CuratorDeps = Pick<EngineDeps, 'projects'>;

/** Whether the answer of a turn is that of a curator, from which the service writes files. */
export function isCuratorTurn({ context }: Pick<OpenTurn, 'context'>): boolean {
  return context?.event === 'afterTurn';
}

/**
 * Writes the sections in the answer of a curator, either all or, on an error, none; the end of the turn reports the
 * result. A turn that did not succeed writes nothing.
 *
 * @param answer the whole answer of the agent in the turn, with secrets removed.
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
  const edits = editsOf(turn.context, sections.value);
  if (!edits.ok) return failed(ending, edits.error);
  const written = await writeEdits(deps, turn.project, edits.value);
  if (!written.ok) {
    const { error } = written;
    return failed(ending, messageOf(error), isUnavailable(error) ? 'interrupted' : 'failed');
  }
  const [first] = written.value;
  if (first === undefined) return { ending: { ...ending, reason: NOTHING }, notices: [] };
  const { words, diff } = describeChanges(written.value);
  return { ending: { ...ending, reason: words }, notices: [changeNotice(diff)] };
}

const NOTHING = 'No file was changed.';

function failed(
  ending: TurnEnding,
  why: string,
  outcome: 'failed' | 'interrupted' = 'failed',
): FinishedTurn {
  return { ending: { ...ending, outcome, reason: `${NOTHING} ${why}` }, notices: [] };
}

async function writeEdits(
  { projects }: CuratorDeps,
  project: string,
  edits: readonly CuratedEdit[],
): Promise<Result<readonly CuratedChange[], unknown>> {
  return projects.curated.write(project, edits).catch((error: unknown) => failure(error));
}

// A file that the curator has not seen completely is not replaced.
function editsOf(
  context: EventData | null,
  sections: readonly CuratorSection[],
): Result<readonly CuratedEdit[], string> {
  const files = (context?.data['files'] ?? {}) as Readonly<Record<string, GivenFile | null>>;
  const edits: CuratedEdit[] = [];
  for (const { file, text } of sections) {
    const given = files[file];
    const ifHash = given === null ? null : given?.sha256;
    if (ifHash === undefined)
      return failure(given?.fault ?? `The curator was not shown .svc/${file}.`);
    edits.push({ file, text, ifHash });
  }
  return success(edits);
}

// As written by `curatorData`, or by a user who tests the trigger.
interface GivenFile {
  readonly sha256?: string;
  readonly fault?: string;
}

// The fence must be longer than any fence in the diff.
function changeNotice(diff: string): NewMessage {
  const longest = Math.max(2, ...(diff.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const text = `svc wrote the files from the curator's answer.\n${fence}diff\n${diff}\n${fence}`;
  return { role: 'system', kind: 'notice', text, tool: null };
}
