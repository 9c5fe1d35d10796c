import type { Schema } from './document.ts';
import { html, joined, type Markup, type Part, prose } from './markup.ts';

/** A field of a body, or a parameter. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  /** Location of a parameter. */
  readonly place?: string;
}

/** Lists fields, each with its own fields. */
export function fieldList(fields: readonly Field[]): Markup {
  return html`<ul class="fields">${fields.map(fieldItem)}</ul>`;
}

function fieldItem({ name, schema, isRequired, description, place }: Field): Markup {
  const words = description ?? schema.description;
  return html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${
    place === undefined ? null : html` <span class="place">${place}</span>`
  }${isRequired ? html` <span class="needed">required</span>` : null}${rulesOf(schema)}${
    words === undefined ? null : html`<p>${prose(words)}</p>`
  }${inside(schema)}</li>`;
}

/** A schema: its type and its fields. */
export function schemaBlock(schema: Schema): Markup {
  const { description, properties } = schema;
  return html`${description === undefined ? null : html`<p>${prose(description)}</p>`}${
    properties === undefined
      ? html`<p><span class="type">${typeOf(schema)}</span>${rulesOf(schema)}</p>`
      : null
  }${inside(schema)}`;
}

/** Address of a component on the page. */
export const anchorOf = (component: string): string => `schema-${component}`;

function typeOf(schema: Schema): Part {
  const { $ref, type, items, oneOf, anyOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#${anchorOf(name)}">${name}</a>`;
  }
  const either = oneOf ?? anyOf;
  if (either !== undefined) return joined(either.map(typeOf), ' or ');
  if (schema.const !== undefined) return json(schema.const);
  if (schema.enum !== undefined) return joined(schema.enum.map(json), ' or ');
  const types = typeof type === 'string' ? [type] : (type ?? ['anything']);
  return joined(
    types.map((each) => (each === 'array' && items ? ['list of ', typeOf(items)] : each)),
    ' or ',
  );
}

const json = (value: unknown): Markup => html`<code>${JSON.stringify(value)}</code>`;

const RULES: readonly (readonly [keyof Schema, string])[] = [
  ['format', '…'],
  ['minimum', 'at least …'],
  ['maximum', 'at most …'],
  ['minLength', 'at least … characters'],
  ['maxLength', 'at most … characters'],
  ['minItems', 'at least … entries'],
  ['maxItems', 'at most … entries'],
];

function rulesOf(schema: Schema): Part {
  const rules: Part[] = RULES.filter(([key]) => schema[key] !== undefined).map(([key, words]) =>
    words.replace('…', String(schema[key])),
  );
  if (schema.pattern !== undefined) rules.push(html`pattern <code>${schema.pattern}</code>`);
  if (schema.default !== undefined) rules.push(['default ', json(schema.default)]);
  return rules.length === 0 ? null : html` <span class="rules">${joined(rules, ', ')}</span>`;
}

// The fields inside a field: its own, those of the entries of a list or map, and those of each alternative.
function inside(schema: Schema): Part {
  const { properties, required = [], items, additionalProperties, oneOf, anyOf } = schema;
  const parts: Part[] = [];
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => ({
      name,
      schema: field,
      isRequired: required.includes(name),
    }));
    if (fields.length > 0) parts.push(fieldList(fields));
  }
  if (items !== undefined) parts.push(inside(items));
  if (typeof additionalProperties === 'object') {
    parts.push(
      fieldList([{ name: '(any name)', schema: additionalProperties, isRequired: false }]),
    );
  }
  const kinds = (oneOf ?? anyOf ?? []).filter(({ properties: own }) => own !== undefined);
  if (kinds.length === 1) parts.push(...kinds.map(inside));
  else parts.push(kinds.map((kind) => html`<p class="kind">Either:</p>${inside(kind)}`));
  return parts;
}
