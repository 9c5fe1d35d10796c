import { isRecord, quoted } from '@svc/core';
import {
  bashStep,
  isSecretName,
  isVariableName,
  plainWords,
  shellQuoted,
  type Variable,
} from './bash-step.ts';

/** The converted jobs of a workflow. */
export interface WorkflowSteps {
  readonly prompt: string;
  readonly notes: readonly string[];
  /** The total of the job timeouts in minutes; null if a job has none. */
  readonly timeoutMinutes: number | null;
}

/** A string or a number as text; null for an empty string and any other value. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

const MAX_MINUTES = 7 * 24 * 60;
// A prompt has at most 200,000 characters; the rest is for its first lines.
const MAX_STEPS_LENGTH = 199_000;
const JOB_KEYS = new Set([
  'name',
  'steps',
  'env',
  'defaults',
  'timeout-minutes',
  'runs-on',
  'needs',
]);
const STEP_KEYS = new Set([
  'name',
  'id',
  'run',
  'shell',
  'working-directory',
  'env',
  'uses',
  'with',
]);
const WHOLE_KEYS = new Set(['name', 'run-name', 'on', 'env', 'jobs', 'defaults']);

/** Converts the steps of a workflow that are plain commands to a playbook. */
export function workflowSteps(workflow: Fields, name: string): WorkflowSteps {
  const notes: string[] = [...leftKeys('', workflow, WHOLE_KEYS)];
  const head = `From the workflow ${plainWords(name)}.\n`;
  const inherited: JobContext = {
    variables: variablesOf('env', workflow['env'], notes),
    folder: folderOf(workflow),
  };
  const jobs = isRecord(workflow['jobs']) ? Object.entries(workflow['jobs']) : [];
  const { parts, isTooLong } = partsOf(inOrder(jobs), inherited, notes);
  if (jobs.length > 1) {
    notes.push('Jobs run one after another here, and the first failure ends them all.');
  }
  const none = 'None of its steps could be imported. See the comments in project.yaml.\n';
  const timeoutMinutes = jobs.reduce<number | null>(
    (sum, [, job]) => added(sum, isRecord(job) ? job['timeout-minutes'] : null),
    0,
  );
  if (isTooLong) {
    notes.push('Its steps are too long for a prompt and were not imported.');
    return { prompt: [head, none].join('\n'), notes, timeoutMinutes: null };
  }
  const isEmpty = parts.every(({ isCarried }) => !isCarried);
  const prompt = [head, ...(isEmpty ? [none] : []), ...parts.map(({ text }) => text)].join('\n');
  return { prompt, notes, timeoutMinutes: timeoutMinutes === 0 ? null : timeoutMinutes };
}

// Each step repeats the variables of the workflow, so a small file could expand to gigabytes: stop at the maximum prompt
// length.
function partsOf(
  jobs: readonly Job[],
  inherited: JobContext,
  notes: string[],
): { readonly parts: Part[]; readonly isTooLong: boolean } {
  const parts: Part[] = [];
  let length = 0;
  for (const [id, job] of jobs) {
    for (const part of jobParts(id, job, inherited, notes)) {
      length += part.text.length + 1;
      if (length > MAX_STEPS_LENGTH) return { parts: [], isTooLong: true };
      parts.push(part);
    }
  }
  return { parts, isTooLong: false };
}

type Fields = Readonly<Record<string, unknown>>;

/** Settings that apply to all steps of a job. */
interface JobContext {
  readonly variables: readonly Variable[];
  readonly folder: string | null;
}

/** A part of the prompt. */
interface Part {
  readonly text: string;
  /** False for a placeholder, which fails. */
  readonly isCarried: boolean;
}

type Job = readonly [id: string, job: unknown];

// Sorts jobs after the jobs that they need, otherwise in the order of the file.
function inOrder(jobs: readonly Job[]): Job[] {
  const byId = new Map(jobs);
  const placed = new Map<string, unknown>();
  const seen = new Set<string>();
  const neededBy = (id: string): string[] => {
    const job = byId.get(id);
    return isRecord(job) ? [job['needs']].flat().flatMap((one) => textOf(one) ?? []) : [];
  };
  const waiting = jobs.map(([id]) => id).reverse();
  for (let id = waiting.at(-1); id !== undefined; id = waiting.at(-1)) {
    const first = new Set(
      seen.has(id) ? [] : neededBy(id).filter((one) => byId.has(one) && !seen.has(one)),
    );
    seen.add(id);
    if (first.size > 0) for (const one of [...first].reverse()) waiting.push(one);
    else {
      waiting.pop();
      placed.set(id, byId.get(id));
    }
  }
  return [...placed];
}

// Keys that decide whether a job runs, or replace its steps.
const GATES: Readonly<Record<string, string>> = {
  if: 'it runs only under a condition',
  uses: 'it uses another workflow',
  environment: 'it may wait for an approval',
};

function* jobParts(
  id: string,
  job: unknown,
  inherited: JobContext,
  notes: string[],
): Generator<Part> {
  if (!isRecord(job)) return;
  notes.push(...leftKeys(`jobs.${id}.`, job, JOB_KEYS));
  const own = variablesOf(`jobs.${id}.env`, job['env'], notes);
  const gates = Object.entries(GATES).filter(([key]) => job[key] !== undefined);
  for (const [, reason] of gates) yield placeholder(`jobs.${id}`, reason);
  const steps = Array.isArray(job['steps']) ? job['steps'] : [];
  if (steps.length === 0) return;
  const context = {
    variables: [...inherited.variables, ...own],
    folder: folderOf(job) ?? inherited.folder,
  };
  for (const [n, step] of steps.entries()) {
    yield partOf(step, `jobs.${id}.steps[${n}]`, context, notes);
  }
}

/** A failing step in place of one that was not imported, so that later steps do not run without it. */
function placeholder(called: string, reason: string): Part {
  const message = `${plainWords(`${called} was not imported: ${reason}`)}. Replace this step, or delete it.`;
  return { text: bashStep(`echo '${message}' >&2\nexit 1`), isCarried: false };
}

function partOf(step: unknown, place: string, context: JobContext, notes: string[]): Part {
  const name = isRecord(step) ? textOf(step['name']) : null;
  const called = name === null ? place : `${place} (${name})`;
  const reason = whyNotPlain(step);
  if (reason !== null || !isRecord(step)) {
    notes.push(`${called} was not imported: ${reason}.`);
    return placeholder(called, reason ?? '');
  }
  const script = textOf(step['run']) ?? '';
  notes.push(...leftKeys(`${place}.`, step, STEP_KEYS));
  const variables = [...context.variables, ...variablesOf(`${place}.env`, step['env'], notes)];
  const where = textOf(step['working-directory']) ?? context.folder;
  // GitHub runs scripts with `-e` too: the first command that fails ends the step.
  const lines = ['set -e', ...(where === null ? [] : [`cd ${shellQuoted(where)}`]), script];
  const words = name === null ? '' : `${plainWords(name)}\n\n`;
  return { text: `${words}${bashStep(lines.join('\n'), variables)}`, isCarried: true };
}

function whyNotPlain(step: unknown): string | null {
  if (!isRecord(step)) return 'it is not a step';
  const uses = textOf(step['uses']);
  if (uses !== null) return `it uses ${uses}`;
  const script = textOf(step['run']);
  if (script === null) return 'it has no commands';
  const folder = textOf(step['working-directory']) ?? '';
  if (hasExpression(script) || hasExpression(folder)) return 'it contains a GitHub expression';
  const shell = textOf(step['shell']);
  if (shell !== null && !/^(ba)?sh$/.test(shell)) return `it runs in ${shell}`;
  if (/[^\P{Cc}\n\r\t]/u.test(script)) return 'it contains control characters';
  const condition = step['if'];
  if (condition === undefined) return null;
  const text = typeof condition === 'string' ? condition : JSON.stringify(condition);
  return `it runs only if ${quoted(text)}`;
}

function folderOf(of: Fields): string | null {
  const defaults = isRecord(of['defaults']) ? of['defaults'] : {};
  const run = isRecord(defaults['run']) ? defaults['run'] : {};
  const folder = textOf(run['working-directory']);
  return folder === null || hasExpression(folder) ? null : folder;
}

function variablesOf(place: string, env: unknown, notes: string[]): Variable[] {
  if (!isRecord(env)) return [];
  return Object.entries(env).flatMap(([name, given]) => {
    const value = typeof given === 'boolean' ? String(given) : (textOf(given) ?? '');
    const reason = whyNoVariable(name, value);
    if (reason === null) return [{ name, value }];
    notes.push(`${place}.${name} was not imported: ${reason}.`);
    return [];
  });
}

function whyNoVariable(name: string, value: string): string | null {
  if (hasExpression(value))
    return 'it contains a GitHub expression; pass environment variables of the service with agents.env';
  if (!isVariableName(name)) return 'it is not a valid variable name';
  if (/\p{Cc}/u.test(value)) return 'it has several lines or control characters';
  return isSecretName(name) ? 'it may be a secret, which must not be in project files' : null;
}

function leftKeys(place: string, of: object, known: ReadonlySet<string>): string[] {
  const left = Object.keys(of).filter((key) => !known.has(key));
  return left.length === 0 ? [] : [`${left.map((key) => place + key).join(', ')}: not imported.`];
}

function hasExpression(text: string): boolean {
  return text.includes('${{');
}

// The total has no limit if one of the jobs has none.
function added(sum: number | null, minutes: unknown): number | null {
  if (sum === null || typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 1)
    return null;
  return Math.min(sum + minutes, MAX_MINUTES);
}
