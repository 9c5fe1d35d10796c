import type { JsonSchema } from '@svc/schema';
import { exactly, flag, id, text } from '../common.schema.ts';
import { chatProject, objectOf, ownSessionId, RESULT } from '../shared-schemas.ts';

const archivedChatSchema: JsonSchema = {
  $id: 'ArchivedChat',
  ...exactly({ archived: flag, project: text, sessionId: id }),
};

export const ARCHIVING = {
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { session_id: ownSessionId, project: chatProject },
  },
  output: archivedChatSchema,
} as const;

export const ARCHIVING_HINTS = { destructive: false, idempotent: true, openWorld: false } as const;

export const archivingAnswer = objectOf({
  archived: RESULT.boolean,
  project: RESULT.text,
  sessionId: RESULT.text,
});
