import {
  definitionText,
  type ProjectFile,
  type ProjectRules,
  type TriggerRecord,
  type TriggerRules,
} from '@svc/trigger-schema';

/** The validation rules for a record in a project, with the default runtime and cost limit of that project. */
export function rulesIn(rules: ProjectRules, file: ProjectFile | null): TriggerRules {
  const { keeper: { runtime, model } = {}, costPerDayUsd = null, network } = file?.settings ?? {};
  const own = runtime === undefined ? {} : { defaultRuntime: runtime };
  const hosts = { ...rules.hosts, ...(network && { project: network }) };
  const inProject = { ...own, defaultModel: model, projectCostPerDayUsd: costPerDayUsd, hosts };
  return { ...rules, ...inProject, unknownKeys: 'refuse-misspelt' };
}

/** Whether a valid record only disables the stored trigger, which is always allowed. */
export function onlyDisables(stored: TriggerRecord | undefined, record: TriggerRecord): boolean {
  if (stored === undefined || record.enabled) return false;
  return definitionText({ ...stored, enabled: false }) === definitionText(record);
}
