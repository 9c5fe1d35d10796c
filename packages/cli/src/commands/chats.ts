import type { Api, Schemas } from '@svc/client';
import { isId } from '@svc/core';
import { didYouMean } from '@svc/trigger-schema';
import type { Command } from '../command.ts';
import { formatLocalTime } from '../formatting.ts';
import { inProjects } from '../names.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';
import { type Column, printTable } from '../table.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { wholeNumber } from '../whole-number.ts';
import { shortId } from './runs.ts';

type Chat = Schemas['Chat'];

const SHOWN = 20;
const MAX_LIMIT = 200;

/** Lists the chats of one project or all projects, most recently active first. */
export const chats: Command = {
  name: 'chats',
  group: 'Inspect',
  summary: 'list chats',
  arguments: { '[PROJECT]': 'project' },
  takes: 'one project, or none: svc chats.',
  options: {
    '--all': 'include archived chats',
    '--limit N': 'number of chats, 1 to 200 (default 20)',
  },
  isRemote: true,
  description: 'List the chats of one project or of all, most recently active first.',
  json: '{ "chats": [...] }, as in GET /api/projects/PROJECT/chats.',
  async run(context) {
    const { options, terminal } = context;
    const [project] = context.arguments;
    const limit = wholeNumber(options, 'limit', { most: MAX_LIMIT, absent: SHOWN });
    const all = options['all'] === true;
    const found = await withService(context, ({ api }) =>
      inProjects(api, project, (slug) => chatsIn(api, slug, limit, all)),
    );
    found.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    const shown = found.slice(0, limit);
    const columns = columnsOn(terminal);
    printResult(context, { chats: shown }, () =>
      shown.length === 0
        ? terminal.error('There are no chats.')
        : printTable(terminal, shown, project === undefined ? [PROJECT, ...columns] : columns),
    );
    return 0;
  },
};

// The most recently active chats of a project.
async function chatsIn(
  api: Api,
  slug: string,
  limit: number,
  includeArchived: boolean,
): Promise<readonly Chat[]> {
  const params = { path: { slug }, query: { limit, includeArchived } };
  return (await answerOf(api.GET('/api/projects/{slug}/chats', { params }), 'chats')).chats;
}

const NEWEST = 200;

/** Finds the id of a chat by its id, its name, or a unique beginning or end of its id. */
export async function chatNamed(api: Api, project: string, given: string): Promise<string> {
  if (isId(given)) return given;
  const found = await chatsIn(api, project, NEWEST, true);
  const named = found.filter(({ name }) => name === given);
  const meant =
    named.length > 0
      ? named
      : found.filter(
          ({ sessionId: id }) => given.length > 3 && (id.startsWith(given) || id.endsWith(given)),
        );
  const [chat, ...others] = meant;
  if (chat !== undefined && others.length === 0) return chat.sessionId;
  if (chat !== undefined) {
    throw new CommandError(
      `${meant.length} chats of ${project} are named ${given}. Give the id of one.`,
    );
  }
  const names = found.map(({ name }) => name);
  throw new CommandError(
    `There is no chat ${given} in the project ${project}.${didYouMean(given, names)}`,
  );
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
