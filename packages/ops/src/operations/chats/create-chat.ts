import { failure, newId } from '@svc/core';
import {
  bounded,
  capabilityFault,
  instructionsFor,
  keeperCapability,
  type OperationError,
  readyRuntime,
  runtimeIdFor,
  startedDepth,
} from '@svc/engine';
import { chatSchema } from '@svc/records';
import type { NewChat } from '@svc/store';
import { exactly, flag, text, textOrNull } from '../../common.schema.ts';
import { defineOperation, STARTING } from '../operation.ts';
import { sample } from '../samples.ts';
import { chatName, model, project, prompt } from '../shared-schemas.ts';
import { nameFrom, requestFault } from './request.ts';
import { begin, openingFor, readBack, spentFault } from './turns.ts';

export const createChat = defineOperation({
  name: 'create_chat',
  summary: 'Start a chat with the keeper of a project.',
  policy: { effect: 'starts_turn', target: 'project', gate: 'write', runsCode: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['prompt'],
    properties: { prompt, project, name: chatName, model },
  },
  output: chatSchema,
  http: {
    method: 'post',
    path: '/projects/:slug/chats',
    tag: 'chats',
    status: 201,
    body: { id: 'NewChat', fields: ['prompt', 'name', 'model'], required: true },
    errors: ['run_failed'],
    example: { body: { prompt: sample.prompt }, response: sample.started },
  },
  tool: {
    title: 'Start a chat',
    description:
      'Start a chat in a project with a first prompt. This starts a real agent turn: the keeper of the project works on the prompt in the background, with all of its tools. Returns the `sessionId` at once. Follow the chat with read_chat and continue it with send_message.',
    ...STARTING,
    output: exactly({
      created: flag,
      project: text,
      sessionId: text,
      name: text,
      model: textOrNull,
      prompt: text,
    }),
  },
  async run({ services: { deps, settings }, caller, target }, { project: _, ...request }) {
    const fault = requestFault(request);
    if (fault !== null) return failure(fault);
    // If the capability of the keeper is unknown, it must not run.
    if (target.file === null) return failure(UNREADABLE);
    const project = target.file.settings;
    const model = request.model ?? project.keeper.model ?? null;
    const runtime = await readyRuntime(deps, runtimeIdFor(null, project, settings), model);
    if (!runtime.ok) return runtime;
    const capability = bounded(caller, keeperCapability(project, runtime.value, settings, caller));
    const unenforced = capabilityFault(capability, runtime.value);
    if (unenforced !== null) return failure({ code: 'run_failed', message: unenforced });
    const asked = { project: target.slug, runtime: runtime.value.id, model, capability };
    const spent = await spentFault(deps, settings, target, [asked]);
    if (spent !== null) return failure(spent);
    const depth = startedDepth(caller, 0);
    const chat: NewChat = {
      sessionId: newId(),
      project: target.slug,
      name: request.name ?? nameFrom(request.prompt),
      origin: caller.actor.kind,
      triggerName: null,
      by: caller.actor,
      capability,
      model,
      runtime: runtime.value.id,
      forkedFrom: null,
      depth,
      instructions: instructionsFor(capability, project),
    };
    const { sessionId } = chat;
    const on = { runtime: chat.runtime, model };
    const turn = { project: target.slug, sessionId, capability, depth, on };
    await begin(deps, [openingFor(deps, settings, caller, turn, request.prompt, chat)]);
    return readBack(deps, chat.sessionId);
  },
  toToolResult: ({ project: slug, sessionId: id, name, model: chosen }, input) => ({
    created: true,
    project: slug,
    sessionId: id,
    name,
    model: chosen,
    prompt: input.prompt,
  }),
});

const UNREADABLE: OperationError = {
  code: 'conflict',
  message: 'project.yaml cannot be read. Fix it first.',
};
