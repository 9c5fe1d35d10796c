import {
  definitionText,
  type ProjectFile,
  type ProjectRules,
  type TriggerRecord,
  type TriggerRules,
} from '@svc/trigger-schema';

/** The rules of a record that is sent, in the project that it is for: its keeper's runtime is the one of what names none, its limit of cost holds. */
export function rulesIn(rules: ProjectRules, file: ProjectFile | null): TriggerRules {
  const { keeper: { runtime, model } = {}, costPerDayUsd = null } = file?.settings ?? {};
  const own = runtime === undefined ? {} : { defaultRuntime: runtime };
  const inProject = { ...own, defaultModel: model, projectCostPerDayUsd: costPerDayUsd };
  return { ...rules, ...inProject, unknownKeys: 'refuse-misspelt' };
}

/** Whether a sound record does nothing to what is stored but disable it, which is never in anybody's way. */
export function onlyDisables(stored: TriggerRecord | undefined, record: TriggerRecord): boolean {
  if (stored === undefined || record.enabled) return false;
  return definitionText({ ...stored, enabled: false }) === definitionText(record);
}
