import { cancelledTurnSchema } from './chat-answers.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { projectAddress, sessionId } from './shared-schemas.ts';

export const cancelTurn: OperationRow<'cancel_turn'> = defineOperation({
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
  tool: null,
  run: ({ nouns, caller, target }) => nouns.chats.cancel(caller, target),
});
