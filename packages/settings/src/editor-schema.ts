import { isRecord } from '@svc/core';
import { formatOf } from './formats.ts';
import { mapFields, ROOT, type SchemaNode } from './setting-table.ts';

/**
 * JSON Schema (draft 7, which editors support best) of `svc.config.yaml`, for completion and hints in editors. Our formats and
 * annotations are left out, since editors do not know them; `resolveSettings` does the validation.
 */
export function settingsEditorSchema(): object {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  return { $schema, title: 'svc svc.config.yaml', ...forEditors(ROOT) };
}

function forEditors(schema: SchemaNode): object {
  const { default: fallback, format: _ours, ...kept } = schema;
  const { type, description, 'x-env': env = [] } = schema;
  const errorMessage = schema.errorMessage ?? formatOf(schema)?.message;
  const variables = env.length === 0 ? '' : ` Environment: ${env.join(', ')}.`;
  return {
    ...mapFields(kept, (keyword, value) =>
      keyword.startsWith('x-') ? undefined : below(keyword, value),
    ),
    ...(fallback == null ? {} : { default: fallback }),
    ...(description === undefined ? {} : { description: description + variables }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    // An empty block has no effect.
    ...(type === 'object' ? { type: ['object', 'null'] } : {}),
  };
}

function below(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => below('', one));
  if (!isRecord(value)) return value;
  return keyword === 'properties'
    ? mapFields(value, (_name, member) => forEditors(member as SchemaNode))
    : forEditors(value);
}
