import { failure, success } from '@svc/core';
import { hash } from '@svc/engine';
import { exactly, flag, text, textOrNull } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { projectAddress } from '../shared-schemas.ts';

const example = {
  etag: '6c1f0d',
  inEffect: 'name: Handbook\n',
  current: 'name: Handbook\nsummary: How we work.\n',
};

export const confirmFile = defineOperation({
  name: 'confirm_file',
  summary:
    'Confirm a project.yaml that an agent may have changed, so that it takes effect. Without `etag`, the answer only shows what would take effect.',
  policy: { effect: 'mutates', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      etag: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description:
          'The `etag` of the answer that was checked. The file takes effect only if it is still the same.',
      },
    },
  },
  output: {
    $id: 'FileConfirmation',
    ...exactly({
      confirmed: { ...flag, description: 'Whether `current` is in effect now.' },
      etag: { ...text, description: 'Identifies `current`.' },
      inEffect: {
        ...textOrNull,
        description: 'The project.yaml that was in effect; null if there was none.',
      },
      current: { ...text, description: 'The project.yaml in the project folder.' },
    }),
  },
  http: {
    method: 'post',
    path: '/projects/:slug/confirm-file',
    tag: 'projects',
    status: 200,
    body: { id: 'ConfirmFile', fields: ['etag'], required: false },
    errors: ['conflict'],
    example: { body: { etag: example.etag }, response: { confirmed: true, ...example } },
  },
  tool: null,
  async run({ services: { deps, arming }, caller, target: { slug } }, { etag }) {
    const result = await deps.projects.confirm(slug, (now) => hash(now) === etag);
    if (!result.ok) return result;
    const { confirmed, inEffect, current } = result.value;
    const isOutdated = etag !== undefined && !confirmed;
    if (isOutdated) return failure(OUTDATED);
    if (confirmed) {
      deps.logger.info({ project: slug, by: caller.actor }, 'project.yaml confirmed');
      await arming.sync(slug);
      deps.changes.publish({ kind: 'project', project: slug, id: null });
    }
    return success({ confirmed, etag: hash(current), inEffect, current });
  },
});

const OUTDATED = {
  code: 'conflict',
  message: 'project.yaml was changed after you checked it. Check it again.',
} as const;
