import { OPERATIONS, type OperationName } from '@svc/records';
import type { OpsDeps, OpsSettings } from '../deps.ts';
import type { ProjectOperations } from '../project-operations.ts';
import type { TriggerEdits } from '../trigger-edits.ts';
import type { TriggerPatches } from '../trigger-patches.ts';
import type { TriggerOperations, TriggerStates } from '../triggers.ts';
import { createAccess } from './access.ts';
import { createFence } from './agent-fence.ts';
import { chatTools } from './chat-tools.ts';
import { forkTools } from './fork-tools.ts';
import { createOperations, type Operations } from './operations.ts';
import { projectTools } from './project-tools.ts';
import { createTargetFinder } from './targets.ts';
import { triggerTools } from './trigger-tools.ts';
import { createFlatTriggers } from './trigger-view.ts';

interface Parts {
  readonly deps: OpsDeps;
  readonly settings: OpsSettings;
  readonly triggers: TriggerOperations & TriggerStates & TriggerEdits & TriggerPatches;
  readonly projects: ProjectOperations;
}

/** All operations of the catalogue as tools, in its order. */
export function createOperationTools({ deps, settings, triggers, projects }: Parts): Operations {
  const access = createAccess();
  const views = createFlatTriggers(deps, settings, triggers);
  const fence = createFence(deps, settings);
  const order = Object.keys(OPERATIONS) as OperationName[];
  const definitions = [
    ...projectTools(projects),
    ...chatTools(deps, settings),
    ...forkTools(deps, settings),
    ...triggerTools({ deps, triggers, views, fence }),
  ].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return createOperations({ deps, access, targets: createTargetFinder(deps, access) }, definitions);
}
