import type { FromSchema } from '@svc/schema';
import { authSchema } from './auth.schema.ts';
import { notifySchema } from './notify.schema.ts';
import { runtimeSchema } from './runtime.schema.ts';
import { sandboxSchema } from './sandbox.schema.ts';
import {
  duration,
  flag,
  group,
  guarded,
  headerName,
  number,
  referenceMap,
  setting,
  shown,
  size,
  strings,
  text,
  whole,
} from './schema-parts.ts';

const turns = whole(1, 1000);
const million = whole(1, 1_000_000);
const fireLimit = { ...million, 'x-takesEmpty': true } as const;
const costLimit = {
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 100_000,
  errorMessage: 'must be a number of US dollars above 0, up to 100000, such as 5 or 2.50.',
  'x-takesEmpty': true,
  'x-see': '[Limit the cost](agents.md#limit-the-cost)',
} as const;
const keptRuns = {
  type: ['integer', 'null'],
  minimum: 1,
  errorMessage: 'must be a whole number of 1 or more, or null for no limit.',
  'x-see': '[Retention](operating.md#retention)',
} as const;
const user = {
  type: ['string', 'integer'],
  pattern: '^[^\\s:/-][^\\s:/]*$',
  minimum: 0,
  errorMessage: 'must be the name or the number of a user of this machine.',
  'x-see': '[Run agents as a separate user](security.md#run-agents-as-a-separate-user)',
} as const;
const levels = { enum: ['debug', 'info', 'warn', 'error'] } as const;
const logFormats = { enum: ['auto', 'json', 'pretty'] } as const;
const share = number(0, 1, ', such as 0.1 for a tenth of all traces');
const ofHost = { 'x-ofHost': true } as const;
const collector = {
  type: 'string',
  format: 'web-address',
  'x-ofHost': true,
  errorMessage:
    'must be the http or https URL of a collector, such as http://127.0.0.1:4318/v1/traces, without a user name or password.',
  'x-see': '[Traces](observability.md#traces)',
} as const;
const management = { 'x-see': '[Calling `/mcp`](calling-mcp.md)' } as const;
const collectorHeaders = {
  type: 'object',
  propertyNames: { allOf: [headerName, { format: 'free-header' }] },
  additionalProperties: referenceMap('value of a header'),
  errorMessage: 'must be a map of headers to { ref: env:NAME }.',
} as const;
const resource = {
  type: 'object',
  additionalProperties: { type: 'string' },
  'x-ofHost': true,
  errorMessage:
    'must be a map of strings, or in OTEL_RESOURCE_ATTRIBUTES NAME=VALUE,NAME=VALUE with commas percent-encoded.',
} as const;

/**
 * JSON Schema of `svc.config.yaml`. A property with a `default` is a setting (null: none), others are groups. Annotations:
 *
 * - `x-env`: environment variables; the first one that is set applies. `x-refusesEmpty`: an empty one is an error; otherwise it
 *   counts as unset. `x-takesEmpty`: an empty text in the file counts as unset. `x-ofHost`: they are meant for all programs on
 *   the host, so an invalid value is only a warning.
 * - `x-guarded`: an unknown key is an error, because ignoring it would be dangerous; otherwise it is a warning.
 * - `x-shown`: the effective value is shown to users. Other settings are not: they may hold a secret.
 * - `x-see`: link in the documentation. `x-missing`: error if it is missing. `errorMessage`: error for every other fault.
 */
export const settingsSchema = group({
  server: group({
    host: shown(text, '127.0.0.1', 'Address to listen on.', 'SVC_HOST', 'HOST'),
    port: shown(whole(0, 65_535), 7420, 'Port; `0`: any free port.', 'SVC_PORT', 'PORT'),
    publicHosts: shown(strings, [], 'Additional hosts that browsers may use: `host`, `host:port`.'),
    drainTimeout: shown(duration, '20s', 'How long a shutdown waits for running turns.'),
    tls: guarded({
      certFile: shown(
        { ...text, 'x-see': '[Over a network](hosting.md#over-a-network)' },
        null,
        'PEM file with the certificate and its chain, relative to the home.',
      ),
      keyFile: shown(text, null, 'PEM file with the key, without a password.'),
    }),
  }),
  auth: authSchema,
  selfMcpEnabled: shown(flag, false, 'Keepers get the read operations as tools.', 'SVC_SELF_MCP'),
  selfMcpWriteEnabled: shown(
    flag,
    false,
    'Keepers also get the operations that change their own project. Requires `selfMcpEnabled`.',
    'SVC_SELF_MCP_WRITE',
  ),
  selfMcpProjectsEnabled: shown(
    flag,
    false,
    'Keepers also get operations on other projects, and `create_project`. Requires `selfMcpWriteEnabled`.',
    'SVC_SELF_MCP_PROJECTS',
  ),
  hooksMcpEnabled: shown(
    flag,
    false,
    'Keepers also get the trigger operations. Requires `selfMcpWriteEnabled`. A `project.yaml` can enable them for its project.',
    'SVC_HOOKS_MCP',
  ),
  maxSpawnDepth: shown(whole(0, 8), 1, 'How deep turns may start turns.', 'SVC_MAX_SPAWN_DEPTH'),
  limits: group({
    concurrentTurns: shown(turns, 4, 'Maximum number of turns at the same time.'),
    concurrentTurnsPerProject: shown(turns, 2, 'Maximum number of turns of one project.'),
    minInterval: shown(duration, '1s', 'Shortest interval of a trigger.'),
    turnTimeout: shown(duration, '60m', 'Longest time of a turn.'),
    filesPerTurn: shown(million, 10_000, 'How many files a turn may write with file tools.'),
    bytesPerTurn: shown(size, '1GiB', 'How much a turn may write with file tools.'),
    firesPerDay: shown(
      fireLimit,
      null,
      'Maximum runs a day of all triggers. Of one trigger: `policy.firesPerDay`.',
    ),
    costPerDayUsd: shown(costLimit, null, 'Maximum cost of all turns a day, in US dollars.'),
  }),
  notify: notifySchema,
  database: {
    ...guarded({
      url: shown(
        // If an empty variable counted as unset, a server would start alone, with its own database.
        { type: 'string', format: 'postgres-address', 'x-refusesEmpty': true },
        null,
        '`postgres://USER:PASSWORD@HOST:5432/NAME`. Without it, a file in the home.',
        'SVC_DATABASE_URL',
      ),
    }),
    errorMessage: 'must be { url: "postgres://USER:PASSWORD@HOST:5432/NAME" }.',
  },
  projects: {
    ...guarded({
      dir: shown(
        { ...text, 'x-refusesEmpty': true },
        null,
        'Existing folder with the projects. Without it, `projects` in the home.',
        'SVC_PROJECTS_DIR',
      ),
    }),
    errorMessage: 'must be { dir: FOLDER }.',
  },
  retention: group({
    runs: shown(keptRuns, 1000, 'Number of runs to keep of each trigger; `null`: all.'),
    age: shown({ type: ['string', 'null'], format: 'age' }, '90d', 'Age of runs; `null`: any.'),
  }),
  curator: group({
    delay: shown(
      { type: 'string', format: 'delay', 'x-see': '[Events](writing-triggers.md#events)' },
      '5m',
      'How long chats must be idle before a curator runs: `1s` to `24h`.',
    ),
  }),
  runtime: runtimeSchema,
  agents: group({
    env: shown(strings, [], 'Names of environment variables that agents get.'),
    user: shown(user, null, 'User that agents run as (Linux). Without it, the user of svc.'),
    sandbox: sandboxSchema,
  }),
  log: group({
    level: shown(levels, 'info', 'Least severe level.', 'SVC_LOG_LEVEL'),
    format: shown(logFormats, 'auto', '`auto`: `pretty` on a terminal.', 'SVC_LOG_FORMAT'),
  }),
  telemetry: group({
    traces: group({
      url: shown(
        collector,
        null,
        'Collector that gets traces, over OTLP/HTTP.',
        ...['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
      ),
      headers: setting(collectorHeaders, {}, 'Headers of exports: `{ ref: env:NAME }` by name.'),
      ratio: shown(share, 1, 'Fraction of traces to send.'),
    }),
    serviceName: shown(
      { ...text, ...ofHost },
      null,
      'Service name in traces. Without it, `service.name` or `svc`.',
      'OTEL_SERVICE_NAME',
    ),
    resource: setting(resource, {}, 'Service attributes in traces.', 'OTEL_RESOURCE_ATTRIBUTES'),
    disabled: shown(
      { ...flag, ...ofHost },
      false,
      '`true` sends nothing.',
      ...['OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER'],
    ),
  }),
  managementApi: setting(management, null, 'Clients of `/mcp`.'),
  envFile: setting(text, null, 'File of `NAME=value` lines with mode 600, for tokens and keys.'),
});

/** `svc.config.yaml` as written. */
export type SettingsFile = FromSchema<typeof settingsSchema>;
