// @ts-check
// Tools that the conformance suite of the Model Context Protocol expects from a server, in addition to those of svc.

/** @typedef {import('@svc/mcp-surface').McpAnswer} McpAnswer */
/** @typedef {import('@svc/mcp-surface').McpCallOptions} McpCallOptions */
/** @typedef {import('@svc/mcp-surface').McpTool} McpTool */
/** @typedef {import('@svc/mcp-surface').McpToolset} McpToolset */

const image = {
  type: 'image',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
};
// A WAV header without samples.
const audio = {
  type: 'audio',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
};

/** @param {string} value */
const text = (value) => ({ type: 'text', text: value });

/** @param {string} uri @param {string} mimeType @param {string} value */
const resource = (uri, mimeType, value) => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

const schemaOf2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** @type {Readonly<Record<string, (options: McpCallOptions) => McpAnswer | Promise<McpAnswer>>>} */
const CALLS = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [audio] }),
  test_embedded_resource: () => ({
    content: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  async test_tool_with_progress({ progress }) {
    for (const done of [0, 50, 100]) await progress?.(done, 100);
    return { content: [text('The end was reached.')] };
  },
  json_schema_2020_12_tool: () => ({ content: [text('Nothing was done.')] }),
};

/** @param {string} name @returns {McpTool} */
const toolOf = (name) => ({
  name,
  description: 'A tool of the conformance suite.',
  inputSchema:
    name === 'json_schema_2020_12_tool'
      ? schemaOf2020
      : { type: 'object', properties: {}, additionalProperties: false },
});

/** Adds the tools of the suite to others. @param {McpToolset} own @returns {McpToolset} */
export function withFixtureTools(own) {
  const tools = Object.keys(CALLS).map(toolOf);
  /** @type {WeakMap<readonly McpTool[], readonly McpTool[]>} */
  const joined = new WeakMap();
  return {
    list(principal) {
      const listed = own.list(principal);
      const all = joined.get(listed) ?? [...listed, ...tools];
      joined.set(listed, all);
      return all;
    },
    async call(principal, name, args, options) {
      const answer = Object.hasOwn(CALLS, name) ? await CALLS[name]?.(options) : undefined;
      return answer ?? own.call(principal, name, args, options);
    },
  };
}
