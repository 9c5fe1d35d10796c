import { failure, success } from '@svc/core';
import { cancelTurn as cancelTurnOf, type OperationError } from '@svc/engine';
import { exactly, id, text } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress, sessionId } from '../shared-schemas.ts';

const cancelledTurnSchema = {
  $id: 'CancelledTurn',
  ...exactly({
    project: text,
    sessionId: id,
    turnId: id,
    runId: {
      ...id,
      type: ['string', 'null'],
      description: 'The run of this turn; null for a turn started in a chat.',
    },
  }),
} as const;

export const cancelTurn = defineOperation({
  name: 'cancel_turn',
  summary:
    'Cancel the running turn of a chat, or else its oldest queued turn. Its run, if any, ends as cancelled.',
  policy: { effect: 'mutates', target: 'chat', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'session_id'],
    properties: { project: projectAddress, session_id: sessionId },
  },
  output: cancelledTurnSchema,
  http: {
    method: 'post',
    path: '/projects/:slug/chats/:sessionId/cancel',
    tag: 'chats',
    status: 202,
    errors: ['conflict'],
    example: {
      response: {
        project: 'handbook',
        sessionId: sample.SESSION_ID,
        turnId: sample.TURN_ID,
        runId: null,
      },
    },
  },
  tool: null,
  async run({ services: { deps }, caller, target: { chat } }) {
    const { project, sessionId } = chat;
    const turn = await deps.store.turns.openIn(sessionId);
    if (turn === null) return failure(NO_TURN);
    await cancelTurnOf(deps, caller, turn.id);
    return success({ project, sessionId, turnId: turn.id, runId: turn.runId });
  },
});

const NO_TURN: OperationError = {
  code: 'conflict',
  message: 'This chat has no running or queued turn.',
};
