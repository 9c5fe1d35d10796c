import type { OperationResults } from '@svc/ops';
import type { Chat } from '@svc/records';
import { formatLocalTime } from '../formatting.ts';
import { type Column, printTable } from '../table.ts';
import { type ExitCode, type Terminal, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { forEach, projectPath, projectsOf, withNameSuggestions } from './names.ts';
import { shortId } from './runs.ts';
import { type ServiceAccess, withService } from './service-access.ts';
import { wholeNumber } from './whole-number.ts';

const SHOWN = 20;
const MAX_LIMIT = 200;

/** Lists the chats of one project or all projects, most recently active first. */
export async function chatsVerb(context: VerbContext): Promise<ExitCode> {
  const [project, ...rest] = context.arguments;
  if (rest.length > 0) throw new UsageError('chats takes one project, or none: svc chats.');
  const { options, terminal } = context;
  const { all = false } = options;
  const limit = wholeNumber(options, 'limit', { most: MAX_LIMIT, absent: SHOWN });
  const chats = await withService(context, async (service) => {
    const slugs = project === undefined ? await projectsOf(service) : [project];
    const pages = await forEach(slugs, (slug) =>
      withNameSuggestions(service, slug, null, () =>
        chatsIn(service, slug, { limit, all: all === true }),
      ),
    );
    const sorted = pages.flat().sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    return sorted.slice(0, limit);
  });
  if (options['json'] === true) terminal.text(JSON.stringify({ chats }, null, 2));
  else if (chats.length === 0) terminal.error('There are no chats.');
  else {
    const columns = columnsOn(terminal);
    printTable(terminal, chats, project === undefined ? [PROJECT, ...columns] : columns);
  }
  return 0;
}

interface Wanted {
  readonly limit: number;
  /** Whether archived chats are included. */
  readonly all: boolean;
}

/** The most recently active chats of a project. */
export async function chatsIn(
  service: ServiceAccess,
  project: string,
  { limit, all }: Wanted,
): Promise<readonly Chat[]> {
  const query = new URLSearchParams({ limit: String(limit), includeArchived: String(all) });
  const { chats } = await service.call<OperationResults['list_chats']>({
    ...{ row: 'list_chats', method: 'GET' },
    path: `${projectPath(project)}/chats?${query}`,
    input: { project, limit, include_archived: all },
  });
  return chats;
}

function stateOf({ running, archived }: Chat): string {
  if (running) return 'running';
  return archived ? 'archived' : '';
}

const PROJECT: Column<Chat> = { title: 'PROJECT', of: ({ project }) => project, least: 8 };
const columnsOn = ({ isTerminal }: Terminal): readonly Column<Chat>[] => [
  { title: 'LAST ACTIVITY', of: ({ updatedAt }) => formatLocalTime(updatedAt) },
  { title: 'CHAT', of: ({ name }) => name, least: 12 },
  {
    title: 'STATE',
    of: stateOf,
    tone: ({ running }) => (running ? 'good' : 'quiet'),
    dropped: 3,
  },
  { title: 'MESSAGES', of: ({ messageCount }) => String(messageCount), align: 'right', dropped: 2 },
  { title: 'ID', of: ({ sessionId: id }) => (isTerminal ? shortId(id) : id) },
];
