import { cancelledTurnSchema } from './chat-answers.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { projectAddress, sessionId } from './shared-schemas.ts';

export const cancelTurn: OperationRow<'cancel_turn'> = defineOperation({
  name: 'cancel_turn',
  summary:
    'Ends the turn that runs in a chat, else the one that has waited longest; a run that it belongs to ends as cancelled.',
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
