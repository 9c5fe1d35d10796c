import { PERMISSION_MODES } from '@svc/records';
import { DEFAULT_MAX_TURNS } from '../fields.ts';
import { defined, hasHalfCharacter, oneOf, shown } from '../plain.ts';
import type { TriggerRun } from '../trigger-record.schema.ts';
import { readDuration } from './duration.ts';
import { checkSectionKeys, type UnknownKeys } from './keys.ts';
import { readPrompt } from './prompt.ts';
import { fault, readChoice, readText, readWhole, type Scope } from './scope.ts';
import { readTools, type ToolRules } from './tools.ts';

const MAX_MODEL = 200;
const MAX_TIMEOUT = { ms: 7 * 86_400_000, text: '7d' } as const;

/** What decides whether a run is sound. */
export interface RunRules extends ToolRules {
  readonly runtimes: readonly string[];
  readonly unknownKeys: UnknownKeys;
}

/** Checks what a fire runs, and fills in its defaults. */
export function readRun(scope: Scope, promptRequired: boolean, rules: RunRules): TriggerRun {
  checkSectionKeys(scope, 'run', rules.unknownKeys);
  return defined({
    ...readPrompt(scope, promptRequired),
    session: readChoice(scope, 'session', ['new', 'resume']) ?? 'new',
    tools: readTools(scope, rules),
    model: readModel(scope),
    permissionMode: readChoice(scope, 'permissionMode', PERMISSION_MODES),
    maxTurns: readWhole(scope, 'maxTurns', 1) ?? DEFAULT_MAX_TURNS,
    maxSpawnDepth: readWhole(scope, 'maxSpawnDepth', 0),
    timeout: readDuration(scope, 'timeout', MAX_TIMEOUT),
    runtime: readRuntime(scope, rules.runtimes),
  }) as TriggerRun;
}

function readModel(scope: Scope): string | undefined {
  const model = readText(scope, 'model', MAX_MODEL);
  if (model === undefined || !(/\p{Cc}/u.test(model) || hasHalfCharacter(model))) return model;
  return fault(scope, 'model', 'must not hold control characters or half characters');
}

function readRuntime(scope: Scope, runtimes: readonly string[]): string | undefined {
  const runtime = readText(scope, 'runtime', MAX_MODEL);
  if (runtime === undefined || runtimes.includes(runtime)) return runtime;
  const choice = runtimes.length === 0 ? 'leave it out' : `write ${oneOf(runtimes)}`;
  return fault(scope, 'runtime', `${shown(runtime)} is not supported by this version; ${choice}`);
}
