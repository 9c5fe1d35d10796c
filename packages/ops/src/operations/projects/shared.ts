import { PERMISSION_MODES } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { count, exactly, issueSchema, listOf, text, textOrNull } from '../common.schema.ts';

export const projectSchema: JsonSchema = {
  $id: 'Project',
  ...exactly({
    slug: text,
    name: text,
    summary: textOrNull,
    area: textOrNull,
    status: textOrNull,
    repo: textOrNull,
    keeper: {
      description: 'The keeper settings of project.yaml; null means the default of the service.',
      ...exactly({
        runtime: textOrNull,
        model: textOrNull,
        permissionMode: { enum: [...PERMISSION_MODES, null] },
      }),
    },
    triggerCount: count,
    faults: { ...listOf(issueSchema), description: 'Why project.yaml cannot be read.' },
  }),
};
