import { AGENT_PROGRAMS } from './requirements/agent-programs.ts';
import { ALERTS } from './requirements/alerts.ts';
import { BACKUP } from './requirements/backup.ts';
import { CLIENTS } from './requirements/clients.ts';
import { COMMANDS } from './requirements/commands.ts';
import { CURATOR } from './requirements/curator.ts';
import { DEPLOYING } from './requirements/deploying.ts';
import { ENDPOINT } from './requirements/endpoint.ts';
import { EVENT_DATA } from './requirements/event-data.ts';
import { FAULTS } from './requirements/faults.ts';
import { NATIVE_MODEL } from './requirements/native-model.ts';
import { NODES } from './requirements/nodes.ts';
import { PACKAGES } from './requirements/packages.ts';
import { PAGE } from './requirements/page.ts';
import { PEOPLE } from './requirements/people.ts';
import { READS } from './requirements/reads.ts';
import { REST } from './requirements/rest.ts';
import { RETENTION } from './requirements/retention.ts';
import { type Requirement, requirementsOf } from './requirements/rows.ts';
import { RUNTIMES } from './requirements/runtimes.ts';
import { SCALE } from './requirements/scale.ts';
import { TOOLS } from './requirements/tools.ts';
import { TRACING } from './requirements/tracing.ts';
import { TRIGGERS } from './requirements/triggers.ts';
import { WHY } from './requirements/why.ts';

/** The guarantees of the service, one sentence each. Tests cite the ids that they prove. */
export const REQUIREMENTS: readonly Requirement[] = [
  TRIGGERS,
  ALERTS,
  BACKUP,
  COMMANDS,
  CURATOR,
  DEPLOYING,
  TRACING,
  EVENT_DATA,
  REST,
  READS,
  TOOLS,
  ENDPOINT,
  CLIENTS,
  PEOPLE,
  PAGE,
  NATIVE_MODEL,
  RUNTIMES,
  AGENT_PROGRAMS,
  PACKAGES,
  RETENTION,
  FAULTS,
  WHY,
  SCALE,
  NODES,
].flatMap(requirementsOf);
