import { text as readAll } from 'node:stream/consumers';
import type { Api, Schemas } from '@svc/client';
import { messageOf } from '@svc/core';
import { type Command, REPORTS_WITHIN_MS } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { withNameSuggestions } from '../names.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import { answerIn, transcriptLines } from '../transcript-text.ts';
import { chatNamed } from './chats.ts';

const TAKES =
  "a project, a chat and a message: svc send hello CHAT 'Continue.', or --new instead of CHAT.";

/** Sends a message to a new or existing chat. */
export const send: Command = {
  name: 'send',
  group: 'Act',
  summary: 'send a message to a chat; --new starts a chat',
  stopsWithinMs: REPORTS_WITHIN_MS,
  usage: ['PROJECT CHAT TEXT', 'PROJECT --new TEXT'],
  arguments: { PROJECT: 'project', CHAT: null, '[TEXT]': null },
  takes: TAKES,
  options: {
    '--new': 'start a new chat',
    '--wait': 'wait for the turn to end and show the answer',
  },
  isRemote: true,
  description: `
Send a message to a chat, which starts a turn of its agent, or start a chat with the keeper of the project. CHAT is the name or
id of a chat, or the first or last characters of its id. If TEXT is -, it is read from standard input.

  svc send hello --new 'What is in this folder?' --wait
  git diff | svc send hello review -`,
  json: '{ "project", "sessionId" }; with --wait the chat with its newest messages.',
  async run(context) {
    const { options } = context;
    const isNew = options['new'] === true;
    const [project = '', ...others] = context.arguments;
    const chat = isNew ? null : others.shift();
    const [given, ...rest] = others;
    if (chat === undefined || given === undefined || rest.length > 0) {
      throw new UsageError(`send takes ${TAKES}`);
    }
    const prompt = given === '-' ? await readAll(process.stdin) : given;
    let code: ExitCode = 0;
    await withService(context, async ({ api, server }) => {
      if (server === null) {
        throw new CommandError(
          'No server is running for this home, so no agent can answer. Start one with svc serve.',
        );
      }
      const sessionId = await withNameSuggestions(api, project, null, () =>
        sendTo(api, project, chat, prompt),
      );
      if (options['wait'] !== true) {
        return printResult(context, { project, sessionId }, [`chat ${sessionId}`]);
      }
      const answer = await answered(context, api, project, sessionId);
      // A turn that failed ends with a notice.
      if (answer.messages.at(-1)?.kind === 'notice') code = 1;
      printResult(context, answer, transcriptLines(answerIn(answer.messages)));
    });
    return code;
  },
};

async function sendTo(
  api: Api,
  slug: string,
  chat: string | null,
  prompt: string,
): Promise<string> {
  const body = { prompt };
  if (chat === null) {
    const params = { path: { slug } };
    return (await answerOf(api.POST('/api/projects/{slug}/chats', { params, body }), 'sessionId'))
      .sessionId;
  }
  const sessionId = await chatNamed(api, slug, chat);
  const params = { path: { slug, sessionId } };
  await answerOf(
    api.POST('/api/projects/{slug}/chats/{sessionId}/messages', { params, body }),
    'sessionId',
  );
  return sessionId;
}

const POLL_MS = 300;
const MAX_MESSAGES = 100;

async function answered(
  { stopRequested }: CommandContext,
  api: Api,
  slug: string,
  sessionId: string,
): Promise<Schemas['ChatWithMessages']> {
  let isStopped = false;
  void stopRequested.then(() => {
    isStopped = true;
  });
  const params = { path: { slug, sessionId }, query: { limit: MAX_MESSAGES } };
  for (;;) {
    const asked = answerOf(
      api.GET('/api/projects/{slug}/chats/{sessionId}', { params }),
      'messages',
    );
    const chat = await asked.catch((error: unknown) => {
      throw new CommandError(
        `The answer may still arrive in chat ${sessionId}. ${messageOf(error)}`,
      );
    });
    if (!chat.running) return chat;
    if (isStopped) throw new CommandError(`Stopped before the answer in chat ${sessionId}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
