import type { OperationName } from '@svc/records';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { KeeperGates } from '../deps.ts';
import { TOOL_ROWS } from './table.ts';

/**
 * The operations that agents of a project may have, in the order of the catalogue; without settings, those of a project
 * that enables nothing itself.
 */
export function keeperOperations(
  gates: KeeperGates,
  settings?: Pick<ProjectSettings, 'hooksMcpEnabled'>,
): OperationName[] {
  const { read } = gates;
  const write = read && gates.write;
  const projects = write && gates.projects;
  const hooks = write && (gates.hooks || settings?.hooksMcpEnabled === true);
  const open: KeeperGates = { read, write, projects, hooks };
  return TOOL_ROWS.filter(({ policy }) => policy.gate !== null && open[policy.gate]).map(
    ({ name }) => name,
  );
}

/** Projects in which a keeper may make changes; null: all. */
export function keeperWriteProjects(gates: KeeperGates, project: string): readonly string[] | null {
  return gates.read && gates.write && gates.projects ? null : [project];
}
