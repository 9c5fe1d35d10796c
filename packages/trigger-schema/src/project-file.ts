import { type Checked, counted, type Issue, success } from '@svc/core';
import type { Source } from '@svc/records';
import { type Base, readBase } from './base.ts';
import { isCuratorRecord, isSecondCurator } from './curator.ts';
import type { LegacySchedule } from './legacy-schedule.schema.ts';
import { own, shown } from './plain.ts';
import type { ProjectSettings } from './project-settings.schema.ts';
import {
  type Budget,
  createBudget,
  createReport,
  cut,
  hiddenOf,
  type Path,
  type Position,
  type Report,
} from './report.ts';
import { validateTriggerName } from './trigger-name.ts';
import type { TriggerRecord } from './trigger-record.schema.ts';
import { NATIVE } from './validate/runtimes.ts';
import { checkSchedule } from './validate/schedule.ts';
import { readSettings } from './validate/settings.ts';
import { checkTrigger, outcome, type TriggerRules } from './validate/trigger.ts';
import { writtenOf } from './written-entries.ts';
import type { YamlFile } from './yaml/file.ts';
import { locateBelow, locateInRoot } from './yaml/locate.ts';
import type { Field, MapTree } from './yaml/tree.ts';

/** A valid entry with its warnings. */
export interface Declared<T> {
  readonly record: T;
  readonly warnings: readonly Issue[];
  /** Position of its prompt, or of the name of its prompt file; absent if the file does not show it. */
  readonly promptAt?: Position;
}

/** An invalid entry; its paths begin inside the entry. */
export interface InvalidEntry {
  readonly source: Source;
  readonly name: string;
  readonly issues: readonly Issue[];
}

/** The content of a `project.yaml`. Issues have a line and column. */
export interface ProjectFile {
  readonly settings: ProjectSettings;
  readonly triggers: ReadonlyMap<string, Declared<TriggerRecord>>;
  readonly schedules: ReadonlyMap<string, Declared<LegacySchedule>>;
  /** Entries that are not in the two maps above. */
  readonly invalid: readonly InvalidEntry[];
  /**
   * Entries of `triggers` as written, valid or not, to which patches apply. Undefined for an entry with far more
   * parts than any valid one.
   */
  readonly written: ReadonlyMap<string, unknown>;
  /** Number of entries of the file, including those beyond the first 2,000. */
  readonly entryCount: number;
  /** Names of triggers beyond the first 2,000 entries, which do not run. */
  readonly beyond: ReadonlySet<string>;
  /** Faults outside the entries: a setting that was left at its default, or a value that must be a map. */
  readonly fileIssues: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/**
 * Validation rules of the entries of a file. Unknown keys of a file, and limits that a runtime cannot enforce, are
 * always kept with a warning.
 */
export type ProjectRules = Omit<TriggerRules, 'unknownKeys' | 'unenforcedLimits'>;

const LENIENT = { unknownKeys: 'warn', unenforcedLimits: 'warn' } as const;

/**
 * Parses a `project.yaml`: one YAML 1.2 document of at most 1 MiB.
 * Fails only if the text is not such a document or its root is not a map. An invalid entry or setting does not
 * affect others. An empty file is an empty project. Never throws.
 */
export function parseProject(text: string, options: ProjectRules = {}): Checked<ProjectFile> {
  const base = readBase(text);
  return base.ok ? success(readProject(base.value, options)) : base;
}

/** Validates a file that was parsed already. */
export function readProject({ file, root }: Base, options: ProjectRules): ProjectFile {
  const budget = createBudget();
  const oddities = file.warnings.slice(0, budget.warnings);
  budget.warnings -= oddities.length;
  budget.hiddenWarnings += file.warnings.length - oddities.length;
  const report = createReport(locateInRoot(file), budget);
  const scope = { record: root?.value ?? {}, path: [], report };
  const settings = readSettings(scope, options.runtimes ?? [NATIVE], options.hosts);
  const { triggers, schedules, entryCount, beyond } = entriesOf(root, report);
  for (const name of schedules.keys()) {
    if (!triggers.has(name)) continue;
    report.warn(['schedules', name], 'is also the name of a trigger; both are armed', 'key');
  }
  const { runtime: defaultRuntime = options.defaultRuntime ?? 'native' } = settings.keeper;
  const { costPerDayUsd: projectCostPerDayUsd = null } = settings;
  const hosts = { ...options.hosts, ...(settings.network && { project: settings.network }) };
  const defaultModel = settings.keeper.model;
  const inProject = { defaultRuntime, defaultModel, projectCostPerDayUsd, hosts };
  const rules: TriggerRules = { ...options, ...inProject, ...LENIENT };
  const faulty: InvalidEntry[] = [];
  const judge = <T extends TriggerRecord | LegacySchedule>(
    source: Source,
    check: EntryCheck<T>,
    entries: Entries,
  ) => judgeEntries({ file, source, check, rules, faulty, budget }, entries);
  const sound = {
    triggers: judge('trigger', checkWritten, triggers),
    schedules: judge('schedule', checkSchedule, schedules),
  };
  return {
    settings,
    ...sound,
    invalid: faulty,
    written: writtenOf(triggers),
    entryCount,
    beyond,
    fileIssues: report.issues(),
    warnings: [...oddities, ...report.warnings, ...hiddenOf(budget)],
  };
}

type Entries = ReadonlyMap<string, Field>;
type EntryCheck<T extends TriggerRecord | LegacySchedule> = (
  value: unknown,
  rules: TriggerRules,
  report: Report,
) => T | null;

/** Maximum number of triggers and schedules of a project that run, in the order of the file. */
export const MOST_ENTRIES = 2000;

interface FileEntries {
  readonly triggers: Entries;
  readonly schedules: Entries;
  readonly entryCount: number;
  readonly beyond: ReadonlySet<string>;
}

function entriesOf(root: MapTree | null, report: Report): FileEntries {
  const kept = { triggers: new Map<string, Field>(), schedules: new Map<string, Field>() };
  const beyond = new Set<string>();
  let entryCount = 0;
  for (const key of root?.fields.keys() ?? []) {
    if (key !== 'triggers' && key !== 'schedules') continue;
    for (const [name, field] of fieldsOf(root, key, report)) {
      entryCount += 1;
      if (entryCount <= MOST_ENTRIES) kept[key].set(name, field);
      else if (key === 'triggers') beyond.add(name);
    }
  }
  if (entryCount > MOST_ENTRIES) {
    report.fault([], tooMany(entryCount));
  }
  return { ...kept, entryCount, beyond };
}

function tooMany(count: number): string {
  const rest = counted(count - MOST_ENTRIES, 'does', 'do');
  return `has ${count} triggers and schedules; the first ${MOST_ENTRIES} run, the other ${rest} not`;
}

function fieldsOf(root: MapTree | null, key: string, report: Report): Entries {
  const tree = root?.fields.get(key)?.tree;
  if (tree === undefined || tree.value === null) return new Map();
  if (tree.kind === 'map') return tree.fields;
  const message = `must be a map from names to entries, not ${shown(tree.value)}; none are armed`;
  report.fault([key], message);
  return new Map();
}

// Longer than any valid name.
const LONGEST_SHOWN = 200;

interface Judging<T extends TriggerRecord | LegacySchedule> {
  readonly file: YamlFile;
  readonly source: Source;
  readonly check: EntryCheck<T>;
  readonly rules: TriggerRules;
  readonly faulty: InvalidEntry[];
  readonly budget: Budget;
}

function judgeEntries<T extends TriggerRecord | LegacySchedule>(
  judging: Judging<T>,
  entries: Entries,
): Map<string, Declared<T>> {
  const { file, source, check, rules, faulty, budget } = judging;
  const sound = new Map<string, Declared<T>>();
  const curators: string[] = [];
  for (const [name, field] of entries) {
    const locate = locateBelow(file, field);
    const report = createReport(locate, budget);
    const named = validateTriggerName(name);
    if (!named.ok) {
      const place = file.position(field.keyOffset);
      faulty.push({
        source,
        name: cut(name, LONGEST_SHOWN),
        issues: named.issues.map((issue) => ({ ...issue, ...place })),
      });
      continue;
    }
    const result = outcome(report, (into) => check(field.tree.value, rules, into));
    if (result.ok) {
      const { value: record, warnings } = result;
      warnOfSecond(curators, name, record, report);
      const path = promptPath(record);
      const at = path === null ? null : locate(path, 'value');
      sound.set(name, { record, warnings, ...(at === null ? {} : { promptAt: at }) });
    } else faulty.push({ source, name, issues: result.issues });
  }
  return sound;
}

// A warning that is added last, because which trigger is the curator depends on the entries before it.
function warnOfSecond(
  before: string[],
  name: string,
  record: TriggerRecord | LegacySchedule,
  report: Report,
): void {
  if (!('run' in record) || !isCuratorRecord(record)) return;
  const [first] = before;
  if (first !== undefined) report.warn(['trigger', 'on'], isSecondCurator(first));
  before.push(name);
}

function promptPath(record: TriggerRecord | LegacySchedule): Path | null {
  const { prompt, promptFile } = 'run' in record ? record.run : record;
  if (prompt === undefined && promptFile === undefined) return null;
  const field = promptFile === undefined ? 'prompt' : 'promptFile';
  return 'run' in record ? ['run', field] : [field];
}

function checkWritten(value: unknown, rules: TriggerRules, report: Report): TriggerRecord | null {
  const record = checkTrigger(value, rules, report);
  const enabled = record === null ? null : own(value as Record<string, unknown>, 'enabled');
  if (enabled === undefined) {
    report.warn(['enabled'], 'is absent, so the trigger is not armed; set enabled: true or false');
  }
  return record;
}
