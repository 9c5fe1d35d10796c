import { type Checked, invalid, isRecord, quoted, success } from '@svc/core';
import { readYaml } from '@svc/trigger-schema';
import {
  type Imported,
  type ImportedTrigger,
  nameFrom,
  playbookRun,
  scheduleFault,
} from './imported.ts';
import { textOf, type WorkflowSteps, workflowSteps } from './workflow-steps.ts';

const ALWAYS = [
  'GitHub runs a workflow on a separate machine; svc runs it in the project folder. The files of the project are present, but',
  'tools are available only if they are installed on this machine.',
];

const MAX_FAULTS = 5;

/**
 * Converts a GitHub workflow: one trigger for each entry of `on.schedule`, which runs the plain commands of all jobs in
 * sequence. Never throws.
 *
 * @param file name of the file in comments
 */
export function readWorkflow(text: string, file: string): Checked<Imported> {
  const read = readYaml(text);
  if (!read.ok) return invalid(...read.issues.slice(0, MAX_FAULTS));
  const workflow = read.value.tree?.value;
  if (!isRecord(workflow)) {
    return invalid({ path: '', message: 'is not a workflow: it must be a YAML map.' });
  }
  const on = isRecord(workflow['on']) ? workflow['on'] : {};
  const schedule = Array.isArray(on['schedule']) ? on['schedule'] : [];
  const name = textOf(workflow['name']) ?? (file.split('/').at(-1) ?? '').replace(/\.ya?ml$/, '');
  const steps = workflowSteps(workflow, name);
  const notes = [...causesLeft(workflow['on']), ...steps.notes];
  const triggers: ImportedTrigger[] = [];
  for (const entry of schedule) {
    const made = triggerOf(entry, name, file, steps);
    if (typeof made === 'string') notes.push(made);
    else triggers.push(made);
  }
  if (schedule.length === 0) notes.push('The workflow has no on.schedule.');
  return success({ triggers, notes: triggers.length === 0 ? notes : [...notes, ...ALWAYS] });
}

function causesLeft(on: unknown): string[] {
  const causes = isRecord(on)
    ? Object.keys(on)
    : [on].flat().filter((one) => typeof one === 'string');
  const left = causes.filter((cause) => cause !== 'schedule');
  return left.length === 0
    ? []
    : [
        `on: ${left.join(', ')} was not imported: svc fires on schedules, on its own events and on request.`,
      ];
}

function triggerOf(
  entry: unknown,
  name: string,
  file: string,
  { prompt, timeoutMinutes }: WorkflowSteps,
): ImportedTrigger | string {
  const cron = isRecord(entry) ? textOf(entry['cron'])?.trim() : undefined;
  if (cron === undefined)
    return 'An entry of on.schedule was not imported, because it has no cron.';
  const timezone = (isRecord(entry) ? textOf(entry['timezone']) : null) ?? 'UTC';
  const fault = scheduleFault(cron, timezone);
  if (fault !== null) return `on.schedule: ${quoted(cron)} was not imported. ${fault}`;
  const isLong = timeoutMinutes !== null;
  return {
    name: nameFrom(name, 'workflow'),
    record: {
      trigger: { type: 'schedule', cron, timezone },
      run: playbookRun(prompt, isLong ? { timeout: `${timeoutMinutes}m` } : {}),
      enabled: false,
    },
    comment: [`From ${file}: on.schedule, ${cron}.`, ...dayRule(cron)],
  };
}

function dayRule(cron: string): string[] {
  const [, , day = '*', , weekday = '*'] = cron.split(/\s+/);
  const isMixed =
    day !== '*' && weekday !== '*' && (day.startsWith('*') || weekday.startsWith('*'));
  return isMixed
    ? [
        'Here it fires on days that match both the day of the month and the weekday, because one starts with *. GitHub may fire on more days.',
      ]
    : [];
}
