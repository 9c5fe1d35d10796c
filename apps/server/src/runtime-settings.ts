import {
  type Issue,
  invalid,
  isDeeperThan,
  isLoopbackName,
  isRecord,
  success,
  textFault,
} from '@svc/core';
import { didYouMean } from '@svc/trigger-schema';
import { type ExternalSettings, externals } from './external-settings.ts';
import { type HeaderValue, headersOf } from './header-settings.ts';
import { type Prices, price } from './prices.ts';
import {
  flag,
  integer,
  type Parse,
  referenceTo,
  refuse,
  row,
  type SettingRow,
  text,
} from './setting-row.ts';

/** Settings of the runtimes, without secrets. */
export interface RuntimeSettings {
  /** Runtime of projects and triggers that do not choose one. */
  readonly default: string;
  readonly native: {
    /** null: the playbook, without AI. */
    readonly model: string | null;
    readonly baseUrl: string | null;
    /** Environment variable with the API key; null: no key. */
    readonly keyVariable: string | null;
    /** Context size of the model in tokens. */
    readonly contextTokens: number;
    readonly prices: Prices | null;
    /** Additional request headers by name. */
    readonly headers: Readonly<Record<string, HeaderValue>>;
    /** null: default of the endpoint. */
    readonly temperature: number | null;
    /** Additional fields of each request. */
    readonly extraBody: Readonly<Record<string, unknown>>;
    /** Whether to request token counts in streamed responses. */
    readonly streamUsage: boolean;
  };
  readonly claude: {
    readonly model: string | null;
    /** null: the default address of the vendor. */
    readonly baseUrl: string | null;
    readonly keyVariable: string | null;
    /** Whether agents get the instructions in the files of a project. */
    readonly projectInstructions: boolean;
    readonly prices: Prices | null;
  };
  /** External runtimes by name. */
  readonly external: Readonly<Record<string, ExternalSettings>>;
}

/**
 * Parses the address of an endpoint. Query and fragment would be lost when a path is appended, and a password would appear in
 * logs.
 */
const endpoint: Parse = (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const isPlain = url?.username === '' && url.password === '' && url.search + url.hash === '';
  return isWeb && isPlain
    ? success(url.href.replace(/\/+$/, ''))
    : refuse('must be a URL such as http://127.0.0.1:11434/v1, without password and query.');
};

const line: Parse = (value) => {
  const read = text(value);
  return read.ok && /\p{Cc}/u.test(read.value as string) ? refuse('must be one line.') : read;
};

const pricesOf = (id: string): SettingRow[] =>
  ['inputPerMillionUsd', 'outputPerMillionUsd'].map((key) =>
    row(`runtime.${id}.prices.${key}`, null, price),
  );

const headers = headersOf({ plain: true, reserved: ['accept'] });

const temperature: Parse = (value) =>
  typeof value === 'number' && value >= 0 && value <= 2
    ? success(value)
    : refuse('must be a number from 0 to 2.');

const OWN_FIELDS = ['model', 'messages', 'tools', 'stream', 'stream_options', 'temperature'];
const MAX_LEVELS = 20;

const extraBody: Parse = (value) => {
  if (!isRecord(value) || isDeeperThan(value, MAX_LEVELS) || textFault(value) !== null) {
    return refuse('must be a map of additional request fields, such as { top_p: 0.9 }.');
  }
  const own = OWN_FIELDS.find((name) => Object.hasOwn(value, name));
  if (own === undefined) return success(value);
  return invalid({ path: own, message: 'is set by svc. Remove it.' });
};

const CONTEXT_TOKENS = 128_000;
const key = referenceTo('key');

/** The settings of runtimes. */
export const RUNTIME_ROWS: readonly SettingRow[] = [
  row('runtime.default', 'native', line, 'SVC_RUNTIME'),
  row('runtime.native.model', null, line),
  row('runtime.native.baseUrl', null, endpoint),
  row('runtime.native.apiKey.ref', null, key),
  row('runtime.native.contextTokens', CONTEXT_TOKENS, integer(1000, 10_000_000)),
  ...pricesOf('native'),
  row('runtime.native.headers', {}, headers),
  row('runtime.native.temperature', null, temperature),
  row('runtime.native.extraBody', {}, extraBody),
  row('runtime.native.streamUsage', true, flag),
  row('runtime.claude.model', null, line),
  row('runtime.claude.baseUrl', null, endpoint),
  row('runtime.claude.apiKey.ref', null, key),
  row('runtime.claude.projectInstructions', false, flag),
  ...pricesOf('claude'),
  row('runtime.external', {}, externals),
];

/** Names of the built-in runtimes. */
const BUILT_IN_RUNTIMES = ['native', 'claude'] as const;

type Values = ReadonlyMap<string, unknown>;

/** Errors and warnings about combinations of these settings. */
export function runtimeFaults(values: Values): { issues: Issue[]; warnings: Issue[] } {
  const issues = [...defaultFaults(values), ...nativeFaults(values)];
  for (const id of BUILT_IN_RUNTIMES) issues.push(...incompletePrices(values, id));
  const warnings = BUILT_IN_RUNTIMES.flatMap((id) => plainKeys(values, id));
  return { issues, warnings };
}

function defaultFaults(values: Values): Issue[] {
  const chosen = values.get('runtime.default') as string;
  const names = [...BUILT_IN_RUNTIMES, ...Object.keys(externalsOf(values))];
  if (names.includes(chosen)) return [];
  const message = `must be ${listOf(names)}: this instance has no runtime ${JSON.stringify(chosen)}.${didYouMean(chosen, names)}`;
  return [{ path: 'runtime.default', message }];
}

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function nativeFaults(values: Values): Issue[] {
  const given = (name: string): boolean => (values.get(`runtime.native.${name}`) ?? null) !== null;
  const model = values.get('runtime.native.model');
  const hasModel = model !== null && model !== 'playbook';
  const names = Object.keys(values.get('runtime.native.headers') as object);
  const own = names.find((name) => name.toLowerCase() === 'authorization');
  if (own !== undefined && given('apiKey.ref')) {
    const message = 'is also set by apiKey. Remove one of them.';
    return [{ path: `runtime.native.headers.${own}`, message }];
  }
  if (hasModel && !given('baseUrl')) {
    const message = `is required for model "${model}", for example http://127.0.0.1:11434/v1.`;
    return [{ path: 'runtime.native.baseUrl', message }];
  }
  if (hasModel || !given('baseUrl')) return [];
  const message = 'is required because runtime.native.baseUrl is set. Name the model to use there.';
  return model === null ? [{ path: 'runtime.native.model', message }] : [];
}

function incompletePrices(values: Values, id: string): Issue[] {
  const keys = pricesOf(id).map(({ key }) => key);
  const missing = keys.filter((key) => (values.get(key) ?? null) === null);
  const [path] = missing;
  if (path === undefined || missing.length === keys.length) return [];
  const given = keys.find((key) => key !== path);
  return [{ path, message: `is required because ${given} is set.` }];
}

function plainKeys(values: Values, id: string): Issue[] {
  const url = values.get(`runtime.${id}.baseUrl`) as string | null;
  if (url === null || !sendsSecret(values, id)) return [];
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopbackName(hostname)) return [];
  const message = 'sends the key over the network in plain text. Use https if available.';
  return [{ path: `runtime.${id}.baseUrl`, message }];
}

function sendsSecret(values: Values, id: string): boolean {
  if ((values.get(`runtime.${id}.apiKey.ref`) ?? null) !== null) return true;
  const headers = (values.get(`runtime.${id}.headers`) ??
    {}) as RuntimeSettings['native']['headers'];
  return Object.values(headers).some((held) => 'variable' in held);
}

function externalsOf(values: Values): RuntimeSettings['external'] {
  return values.get('runtime.external') as RuntimeSettings['external'];
}

/** The settings of the runtimes, from valid values. */
export function runtimeOf(values: Values): RuntimeSettings {
  const get = <T>(key: string): T => values.get(`runtime.${key}`) as T;
  const prices = (id: string): Prices | null => {
    const input = get<number | null>(`${id}.prices.inputPerMillionUsd`);
    const output = get<number | null>(`${id}.prices.outputPerMillionUsd`);
    return input === null || output === null
      ? null
      : { inputPerMillionUsd: input, outputPerMillionUsd: output };
  };
  return {
    default: get('default'),
    native: {
      model: get('native.model'),
      baseUrl: get('native.baseUrl'),
      keyVariable: get('native.apiKey.ref'),
      contextTokens: get('native.contextTokens'),
      prices: prices('native'),
      headers: get('native.headers'),
      temperature: get('native.temperature'),
      extraBody: get('native.extraBody'),
      streamUsage: get('native.streamUsage'),
    },
    claude: {
      model: get('claude.model'),
      baseUrl: get('claude.baseUrl'),
      keyVariable: get('claude.apiKey.ref'),
      projectInstructions: get('claude.projectInstructions'),
      prices: prices('claude'),
    },
    external: externalsOf(values),
  };
}
