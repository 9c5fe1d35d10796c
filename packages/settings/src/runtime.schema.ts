import {
  flag,
  group,
  headerName,
  headerValuePattern,
  line,
  number,
  ownName,
  prices,
  program,
  programArguments,
  reference,
  referenceMap,
  setting,
  shown,
  variables,
  whole,
} from './schema-parts.ts';

const endpoint = { type: 'string', format: 'endpoint' } as const;
const apiKey = setting(
  {
    ...referenceMap('key'),
    required: [],
    properties: { ref: { ...reference('key'), default: null } },
  },
  null,
  'The variable with the API key: `{ ref: env:NAME }`.',
);

const homePaths = {
  type: 'array',
  items: { type: 'string', pattern: '^(?!(?:.*/)?\\.{1,2}(?:/|$))[^/\\x00][^\\x00]*$' },
  errorMessage: 'must be a list of paths relative to the home folder, such as .config/agent.',
} as const;

const external = {
  ...group({
    command: { ...program, description: 'The command.' },
    args: programArguments,
    protocol: { enum: ['acp', 'text'], description: 'Agent Client Protocol, or stdin and stdout.' },
    model: setting({ ...program, errorMessage: 'must be the name of a model.' }, null, 'Model.'),
    env: setting(variables, [], 'Environment variables that the command gets.'),
    home: setting(
      homePaths,
      [],
      'Paths in the home folder of the user, for logins, that the command gets in a sandbox.',
    ),
    hosts: setting(
      { type: 'array', items: { type: 'string', format: 'host' }, maxItems: 200 },
      [],
      'Hosts of its vendor, which the command may always connect to in a sandbox.',
    ),
    prices: { ...prices, required: ['inputPerMillionUsd', 'outputPerMillionUsd'] },
  }),
  required: ['command', 'protocol'],
  errorMessage: 'must be a map with command and protocol.',
} as const;

const headers = {
  type: 'object',
  propertyNames: { allOf: [headerName, { format: 'free-request-header' }] },
  additionalProperties: {
    ...referenceMap('value of a header'),
    type: ['string', 'object'],
    pattern: headerValuePattern,
    errorMessage: 'must be one line of printable ASCII, or { ref: env:NAME } for a secret.',
  },
  errorMessage: 'must be a map of headers to texts or { ref: env:NAME }.',
} as const;

const extraBody = {
  type: 'object',
  propertyNames: {
    not: { enum: ['model', 'messages', 'tools', 'stream', 'stream_options', 'temperature'] },
    errorMessage: 'is set by svc. Remove it.',
  },
  errorMessage: 'must be a map of additional request fields, such as { top_p: 0.9 }.',
} as const;

const externals = {
  type: 'object',
  propertyNames: {
    allOf: [
      ownName,
      {
        not: { enum: ['native', 'claude', 'playbook', 'external'] },
        errorMessage: 'must have another name: this one is reserved for a built-in runtime.',
      },
    ],
  },
  additionalProperties: external,
  errorMessage: 'must be a map of runtimes by name.',
} as const;

/** The settings of runtimes. */
export const runtimeSchema = group({
  default: shown(
    line,
    'native',
    'Runtime of projects and triggers that choose none: `native`, `claude` or an external one.',
    'SVC_RUNTIME',
  ),
  native: group({
    model: shown(line, null, 'Model. Without one, or with `playbook`, prompts contain the steps.'),
    baseUrl: setting(
      endpoint,
      null,
      'Endpoint of the model, for example `http://127.0.0.1:11434/v1`.',
    ),
    apiKey,
    contextTokens: setting(whole(1000, 10_000_000), 128_000, 'Context window in tokens.'),
    prices,
    headers: setting(headers, {}, 'Request headers: strings, or `{ ref: env:NAME }` for a secret.'),
    temperature: shown(number(0, 2), null, '`0` to `2`. Without it, the endpoint decides.'),
    extraBody: setting(extraBody, {}, 'Additional fields of requests, such as `{ top_p: 0.9 }`.'),
    streamUsage: shown(
      flag,
      true,
      'Whether to request token usage. `false` for endpoints that reject `stream_options`.',
    ),
  }),
  claude: group({
    model: setting(line, null, 'Model. Without one, the default of the SDK.'),
    baseUrl: setting(endpoint, null, 'Endpoint. Without one, that of the vendor.'),
    apiKey,
    projectInstructions: setting(flag, false, 'Whether agents get the instructions in projects.'),
    prices,
  }),
  external: setting(
    externals,
    {},
    'Commands that run agents, by name: `command`, `args`, `protocol`, `model`, `env`, `home`, `hosts`, `prices`.',
  ),
});
