import { text as readAll } from 'node:stream/consumers';
import { isId, messageOf } from '@svc/core';
import type { OperationResults } from '@svc/ops';
import type { Chat } from '@svc/records';
import { didYouMean } from '../did-you-mean.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import { answerIn, transcriptLines } from '../transcript-text.ts';
import { chatsIn } from './chats.ts';
import type { VerbContext } from './context.ts';
import { projectPath, withNameSuggestions } from './names.ts';
import { type ServiceAccess, withService } from './service-access.ts';

const USAGE =
  "send takes a project, a chat and a message: svc send hello CHAT 'Continue.', or --new instead of CHAT.";

/** Sends a message to a new or existing chat; `--wait` prints the answer. */
export async function sendVerb(context: VerbContext): Promise<ExitCode> {
  const { options, terminal } = context;
  const isNew = options['new'] === true;
  const [project, ...others] = context.arguments;
  const chat = isNew ? null : others.shift();
  const [given, ...rest] = others;
  if (project === undefined || chat === undefined || given === undefined || rest.length > 0) {
    throw new UsageError(USAGE);
  }
  const prompt = given === '-' ? await readAll(process.stdin) : given;
  let code: ExitCode = 0;
  await withService(context, async (service) => {
    if (service.server === null) {
      throw new CommandError(
        'No server is running for this home, so no agent can answer. Start one with svc serve.',
      );
    }
    const sessionId = await withNameSuggestions(service, project, null, async () =>
      chat === null
        ? begin(service, project, prompt)
        : send(service, project, await chatNamed(service, project, chat), prompt),
    );
    const waits = options['wait'] === true;
    if (!waits) {
      const sent = { project, sessionId };
      terminal.text(options['json'] === true ? JSON.stringify(sent, null, 2) : `chat ${sessionId}`);
      return;
    }
    const answer = await answered(context, service, project, sessionId);
    // A turn that failed ends with a notice.
    if (answer.messages.at(-1)?.kind === 'notice') code = 1;
    if (options['json'] === true) terminal.text(JSON.stringify(answer, null, 2));
    else for (const line of transcriptLines(answerIn(answer.messages))) terminal.out(line);
  });
  return code;
}

async function begin(service: ServiceAccess, project: string, prompt: string): Promise<string> {
  const { sessionId } = await service.call<Chat>({
    ...{ row: 'create_chat', method: 'POST', body: { prompt }, input: { project, prompt } },
    path: `${projectPath(project)}/chats`,
  });
  return sessionId;
}

async function send(
  service: ServiceAccess,
  project: string,
  sessionId: string,
  prompt: string,
): Promise<string> {
  await service.call({
    ...{ row: 'send_message', method: 'POST', body: { prompt } },
    path: `${projectPath(project)}/chats/${sessionId}/messages`,
    input: { project, session_id: sessionId, prompt },
  });
  return sessionId;
}

const NEWEST = 200;

/** Finds the id of a chat by its id, its name, or a unique beginning or end of its id. */
export async function chatNamed(
  service: ServiceAccess,
  project: string,
  given: string,
): Promise<string> {
  if (isId(given)) return given;
  const chats = await chatsIn(service, project, { limit: NEWEST, all: true });
  const named = chats.filter(({ name }) => name === given);
  const meant =
    named.length > 0
      ? named
      : chats.filter(
          ({ sessionId: id }) => given.length > 3 && (id.startsWith(given) || id.endsWith(given)),
        );
  const [chat, ...others] = meant;
  if (chat !== undefined && others.length === 0) return chat.sessionId;
  if (chat !== undefined) {
    throw new CommandError(
      `${meant.length} chats of ${project} are named ${given}. Give the id of one.`,
    );
  }
  const names = chats.map(({ name }) => name);
  throw new CommandError(
    `There is no chat ${given} in the project ${project}.${didYouMean(given, names)}`,
  );
}

const POLL_MS = 300;
const MAX_MESSAGES = 100;

async function answered(
  { stopRequested }: VerbContext,
  service: ServiceAccess,
  project: string,
  sessionId: string,
): Promise<OperationResults['read_transcript']> {
  let isStopped = false;
  void stopRequested.then(() => {
    isStopped = true;
  });
  for (;;) {
    const chat = await service
      .call<OperationResults['read_transcript']>({
        ...{ row: 'read_transcript', method: 'GET' },
        path: `${projectPath(project)}/chats/${sessionId}?limit=${MAX_MESSAGES}`,
        input: { project, session_id: sessionId, limit: MAX_MESSAGES },
      })
      .catch((error: unknown) => {
        throw new CommandError(
          `The answer may still arrive in chat ${sessionId}. ${messageOf(error)}`,
        );
      });
    if (!chat.running) return chat;
    if (isStopped) throw new CommandError(`Stopped before the answer in chat ${sessionId}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
