// @ts-check
// The page docs/settings.md, from the schema of svc.config.yaml.

/** @typedef {import('@svc/settings').SchemaNode} SchemaNode */
/** @typedef {{ key: string, schema: SchemaNode, isRequired?: boolean }} Row */

const code = (/** @type {unknown} */ value) => `\`${value}\``;

/** A setting, or its fields if they are described one by one. @param {Row} row @returns {Row[]} */
function rowsOf(row) {
  const isNamed = row.schema.additionalProperties && row.schema.properties === undefined;
  const map = isNamed || row.schema;
  const { properties = {}, required = [] } = map;
  const fields = Object.entries(properties);
  if (!fields.some(([, { description }]) => description !== undefined)) return [row];
  const prefix = isNamed ? `${row.key}.<name>` : row.key;
  return fields.flatMap(([name, schema]) =>
    rowsOf({ key: `${prefix}.${name}`, schema, isRequired: required.includes(name) }),
  );
}

/** @type {Readonly<Record<string, string>>} */
const FORMATS = {
  duration: 'duration, such as `30s`',
  delay: 'duration, such as `5m`',
  pause: 'duration, such as `1h`',
  age: 'duration, such as `90d`',
  size: 'size, such as `2MiB`',
  endpoint: 'URL',
  'web-address': 'URL',
  'key-set-address': 'URL',
  'postgres-address': 'URL',
};

/** What is valid. @param {SchemaNode} schema @returns {string} */
function valuesOf({ format = '', type = [], items, properties, ...schema }) {
  const known = FORMATS[format];
  if (known !== undefined) return known;
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (items?.enum !== undefined) return `list of ${valuesOf(items)}`;
  const types = [type].flat();
  if (types.includes('array')) return 'list';
  if (properties?.ref !== undefined) return '`{ ref: env:NAME }`';
  if (types.includes('object') || types.length === 0) return 'map';
  if (types.includes('boolean')) return '`true`, `false`';
  if (types.includes('string')) return schema.pattern?.startsWith('^env:') ? '`env:NAME`' : 'text';
  const { minimum, exclusiveMinimum, maximum } = schema;
  const least = minimum === undefined ? `above ${code(exclusiveMinimum)}` : `from ${code(minimum)}`;
  return maximum === undefined ? least : `${least} to ${code(maximum)}`;
}

/** @param {Row} row */
function defaultOf({ schema, isRequired }) {
  if (isRequired) return 'required';
  const fallback = schema.default ?? null;
  if (Array.isArray(fallback) && fallback.length > 0) return code(JSON.stringify(fallback));
  return fallback === null || typeof fallback === 'object' ? 'none' : code(fallback);
}

/** @param {Row} row */
function cellsOf({ key, schema, isRequired = false }) {
  const { description = '', 'x-env': env = [], 'x-see': see } = schema;
  const meaning = see === undefined ? description : `${description} See ${see}.`;
  const fallback = defaultOf({ key, schema, isRequired });
  return [code(key), valuesOf(schema), fallback, env.map(code).join(', '), meaning];
}

/** @param {readonly (readonly string[])[]} rows */
function tableOf(rows) {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)));
  const [head = '', ...lines] = rows.map(
    (row) => `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`,
  );
  return [head, `| ${widths.map((n) => '-'.repeat(n)).join(' | ')} |`, ...lines].join('\n');
}

/** The whole page. @param {readonly Row[]} settings */
export const settingsPage = (settings) => `# Settings

The settings in \`svc.config.yaml\`. An environment variable takes precedence over the file, and an option of the command line, such as
\`--port\`, over both. [Home and settings](hosting.md#home-and-settings) explains when changes apply, and what svc refuses.

\`svc init\` writes \`svc.config.schema.json\`, and the first line of \`svc.config.yaml\` refers to it. Editors with a YAML language server
then complete settings and underline mistakes.

${tableOf([
  ['setting', 'values', 'default', 'environment', 'meaning'],
  ...settings.flatMap(rowsOf).map(cellsOf),
])}

\`node apps/server/scripts/write-settings.mjs\` generates this page; a test fails if it is out of date.
`;
