import { OPERATIONS, type OperationName } from '@svc/records';
import type { ProjectSettings } from '@svc/trigger-schema';

/** Switches of the operations that keepers have as tools. External clients are not bound by them. */
export interface KeeperGates {
  /** Reading operations. */
  readonly read: boolean;
  /** Writing operations in the keeper's own project; counts only together with `read`. */
  readonly write: boolean;
  /** `create_project`, and writing in other projects; counts only together with `write`. */
  readonly projects: boolean;
  /** The trigger operations, unless the project has them on itself; counts only together with `write`. */
  readonly hooks: boolean;
}

/**
 * The operations that the agents of a project may have, in the order of the catalogue; without settings those of a
 * project that switches nothing on itself.
 */
export function keeperOperations(
  gates: KeeperGates,
  settings?: Pick<ProjectSettings, 'hooksMcpEnabled'>,
): OperationName[] {
  const { read } = gates;
  const write = read && gates.write;
  const projects = write && gates.projects;
  const trigger = write && (gates.hooks || settings?.hooksMcpEnabled === true);
  const open = { read, write, trigger };
  return (Object.keys(OPERATIONS) as OperationName[]).filter((name) =>
    name === 'create_project' ? projects : open[OPERATIONS[name]],
  );
}

/** Where a keeper may change things; null: everywhere. */
export function keeperWriteProjects(gates: KeeperGates, project: string): readonly string[] | null {
  return gates.read && gates.write && gates.projects ? null : [project];
}
