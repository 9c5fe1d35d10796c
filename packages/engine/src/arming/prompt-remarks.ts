import type { PromptFault } from '@svc/agent-runtime';
import { type Checked, type Issue, sentenceOf, success } from '@svc/core';
import {
  createPromptVerdicts,
  type NamedPrompt,
  type ProjectSnapshot,
  type PromptVerdicts,
  promptFault,
  promptWarning,
} from '@svc/projects';
import type { Source } from '@svc/records';
import {
  curatorWarning,
  type Declared,
  type LegacySchedule,
  type ProjectSettings,
  type TriggerRecord,
} from '@svc/trigger-schema';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import { runtimeIdFor } from '../firing/ready-runtime.ts';

type Entry = Declared<TriggerRecord | LegacySchedule>;

/** A project folder, and the keeper settings of its file. */
interface PromptPlace extends Pick<ProjectSnapshot, 'folder'> {
  readonly file: { readonly settings: Pick<ProjectSettings, 'keeper'> } | null;
}

/** Warnings about prompts: about prompt files as they are now, and prompts that no model can run. */
export interface PromptRemarks {
  /**
   * Warnings for the author of an entry, from its text and its current prompt.
   *
   * @param fault problem of its prompt file if that was already read. Default: the current state of the file
   */
  warnings(place: PromptPlace, source: Source, entry: Entry, fault?: Issue): readonly Issue[];
  /** The same for a trigger that was validated alone, and is to be stored under this name. */
  warningsOfRecord(
    place: Pick<ProjectSnapshot, 'folder' | 'file'>,
    name: string | undefined,
    checked: { readonly value: TriggerRecord; readonly warnings: readonly Issue[] },
  ): readonly Issue[];
  /**
   * Why every fire of an entry would fail, in a sentence; null if no reason is known.
   *
   * @param fault as for `warnings`
   */
  faultOf(
    place: PromptPlace,
    source: Source,
    record: Entry['record'],
    fault?: Issue,
  ): string | null;
}

type Deps = Pick<EngineDeps, 'runtimes'>;

export function createPromptRemarks(
  { runtimes }: Deps,
  settings: Pick<EngineSettings, 'defaultRuntime'>,
): PromptRemarks {
  const judges = new Map<string, PromptVerdicts<PromptFault | null>>();
  // One for each runtime and model, so that a file is read once for all queries.
  const judgeFor = (id: string, model: string | null) => {
    const key = `${id} ${model}`;
    const known = judges.get(key);
    if (known !== undefined) return known;
    const runtime = runtimes.get(id);
    const made = createPromptVerdicts((text) => runtime?.promptFault?.(text, model) ?? null);
    if (judges.size >= MOST_JUDGES) judges.clear();
    judges.set(key, made);
    return made;
  };
  const judge = (
    place: PromptPlace,
    source: Source,
    entry: Judged,
    { id, asked }: { readonly id: string; readonly asked: string | null },
  ): Checked<PromptFault | null> => {
    const { prompt } = runOf(entry.record);
    if (prompt === undefined) {
      return fileVerdict(namedBy(place, source, entry), () => judgeFor(id, asked));
    }
    return success(runtimes.get(id)?.promptFault?.(prompt, asked) ?? null);
  };
  const textRemark = (place: PromptPlace, source: Source, entry: Judged): Issue | null => {
    const { record, promptAt } = entry;
    const { prompt, runtime = null, model } = runOf(record);
    const { keeper } = place.file?.settings ?? { keeper: {} };
    const id = runtimeIdFor({ runtime }, { keeper }, settings);
    const asked = model ?? keeper.model ?? null;
    const judged = judge(place, source, entry, { id, asked });
    if (!judged.ok) return judged.issues[0] ?? null;
    const fault = judged.value;
    if (fault === null) return null;
    const inRun = 'run' in record ? 'run.' : '';
    const field = prompt === undefined ? 'promptFile' : 'prompt';
    const path = { prompt: `${inRun}${field}`, model: model ? 'run.model' : 'keeper.model' };
    const at = fault.field === 'prompt' ? promptAt : undefined;
    return { path: path[fault.field], message: fault.message, ...at };
  };
  const remarkOn = (place: PromptPlace, source: Source, entry: Judged): Issue | null =>
    fileWarning(place, source, entry) ?? textRemark(place, source, entry);
  const warnings: PromptRemarks['warnings'] = (place, source, entry, fault) => {
    const remark = fault ?? remarkOn(place, source, entry);
    return remark === null ? entry.warnings : [...entry.warnings, remark];
  };
  return {
    warnings,
    warningsOfRecord(place, name, { value: record, warnings: own }) {
      const second = place.file === null ? null : curatorWarning(place.file, name, record);
      const all = second === null ? own : [...own, second];
      return warnings(place, 'trigger', { record, warnings: all });
    },
    faultOf(place, source, record, fault) {
      const remark = fault ?? remarkOn(place, source, { record });
      return remark === null ? null : sentenceOf(remark, 'The trigger');
    },
  };
}

const MOST_JUDGES = 100;

/** A prompt file that cannot be used. */
export interface UnusablePrompt {
  readonly issue: Issue;
  /** Whether scheduled runs and runs of events will fail: the entry is enabled, and can fire. */
  readonly failsFires: boolean;
}

/** Reads the prompt file of an entry as a fire would; null if it can be used, or none is named. */
export async function unusablePrompt(
  { folder }: Pick<ProjectSnapshot, 'folder'>,
  source: Source,
  { record, promptAt: at }: Entry,
): Promise<UnusablePrompt | null> {
  const { promptFile: file } = runOf(record);
  if (file === undefined) return null;
  const issue = await promptFault({ folder, source, file, at });
  const canFire = !('trigger' in record) || record.trigger.type !== 'webhook';
  return issue === null ? null : { issue, failsFires: record.enabled && canFire };
}

type Judged = Pick<Entry, 'record' | 'promptAt'>;

interface RunFields {
  readonly prompt?: string | undefined;
  readonly promptFile?: string | undefined;
  readonly runtime?: string | null;
  readonly model?: string | undefined;
}

function runOf(record: Entry['record']): RunFields {
  if (!('run' in record)) return { prompt: record.prompt, promptFile: record.promptFile };
  const { prompt, promptFile, runtime = null, model } = record.run;
  return { prompt, promptFile, runtime, model };
}

function namedBy({ folder }: PromptPlace, source: Source, entry: Judged): NamedPrompt | null {
  const { record, promptAt: at } = entry;
  const { promptFile: file } = runOf(record);
  return file === undefined ? null : { folder, source, file, at };
}

// `fileWarning` reports why a file cannot be read.
function fileVerdict(
  named: NamedPrompt | null,
  judge: () => PromptVerdicts<PromptFault | null>,
): Checked<PromptFault | null> {
  return (named === null ? null : judge()(named)) ?? success(null);
}

function fileWarning(place: PromptPlace, source: Source, entry: Judged): Issue | null {
  const named = namedBy(place, source, entry);
  return named === null ? null : promptWarning(named);
}
