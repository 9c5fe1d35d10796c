import { type Checked, invalid, listed, success } from '@svc/core';

/** Options of `svc init --runtime`. */
export interface RuntimeOptions {
  readonly kind: string;
  readonly model: string | null;
  readonly baseUrl: string | null;
  readonly command: string | null;
  readonly protocol: string | null;
  /**
   * Whether the home already has projects; its runtime default is not changed then, because existing triggers would incur
   * costs.
   */
  readonly isUsed: boolean;
}

/** Lines for `svc.config.yaml`, and the remaining steps for the user. */
export interface RuntimeBlock {
  readonly text: string;
  /** Name of the runtime for `run.runtime` of triggers. */
  readonly runtime: string;
  /** Whether the runtime enforces tool lists. */
  readonly isLimited: boolean;
  /** The remaining steps, one line each. */
  readonly next: readonly string[];
}

/** Version of the Claude Agent SDK that this version of svc was tested with. */
const CLAUDE_SDK = '@anthropic-ai/claude-agent-sdk@0.3.329';

const OLLAMA = 'http://127.0.0.1:11434/v1';

/** The kinds of runtime that `svc init` can set up. */
const MAKERS: Readonly<Record<string, (options: RuntimeOptions) => RuntimeBlock>> = {
  claude: claudeBlock,
  openai: openaiBlock,
  external: externalBlock,
};

/** Creates the settings for a runtime; invalid if the options do not match its kind. */
export function runtimeBlock(options: RuntimeOptions): Checked<RuntimeBlock> {
  const make = MAKERS[options.kind];
  if (make === undefined)
    return invalid({ path: '--runtime', message: `must be ${listed(Object.keys(MAKERS), 'or')}.` });
  const isExternal = options.kind === 'external';
  if (!isExternal && (options.command ?? options.protocol) !== null)
    return invalid({ path: '--command', message: 'and --protocol require --runtime external.' });
  if (isExternal && options.baseUrl !== null)
    return invalid({ path: '--base-url', message: 'requires --runtime claude or openai.' });
  return success(make(options));
}

function claudeBlock({ model, baseUrl, isUsed }: RuntimeOptions): RuntimeBlock {
  const lines = [
    'runtime:',
    ...(isUsed ? [] : ['  default: claude']),
    '  claude:',
    ...(model === null ? [] : [`    model: ${quoted(model)}`]),
    ...(baseUrl === null ? [] : [`    baseUrl: ${quoted(baseUrl)}`]),
    '    apiKey: { ref: env:ANTHROPIC_API_KEY }',
  ];
  return {
    text: textOf(lines),
    runtime: 'claude',
    isLimited: true,
    next: [
      `Install the agent: npm install --prefix HOME/runtimes/claude/sdk ${CLAUDE_SDK}`,
      'Export its key:    export ANTHROPIC_API_KEY=...',
      ...(isUsed ? ['Use it:            run: { runtime: claude }'] : []),
    ],
  };
}

function openaiBlock({ model, baseUrl, isUsed }: RuntimeOptions): RuntimeBlock {
  const asked = model ?? 'qwen3';
  const url = baseUrl ?? OLLAMA;
  const isHere = /^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(url);
  const lines = [
    'runtime:',
    '  default: native',
    '  native:',
    `    baseUrl: ${quoted(url)}`,
    `    model: ${isUsed ? 'playbook # triggers with another model use this endpoint' : quoted(asked)}`,
    ...(isHere ? [] : ['    apiKey: { ref: env:OPENAI_API_KEY }']),
  ];
  const next = [
    isHere
      ? `Serve the model:   ${url === OLLAMA ? `ollama pull ${asked}` : `${asked} at ${url}`}`
      : 'Export its key:    export OPENAI_API_KEY=...',
    ...(isUsed ? [`Use it:            run: { model: ${asked} }`] : []),
  ];
  return { text: textOf(lines), runtime: 'native', isLimited: true, next };
}

function externalBlock({ model, command, protocol, isUsed }: RuntimeOptions): RuntimeBlock {
  const program = command ?? 'codex-acp';
  const speaks = protocol ?? 'acp';
  const isCodex = program === 'codex-acp';
  const name = nameOf(program);
  const lines = [
    'runtime:',
    ...(isUsed ? [] : [`  default: ${name}`]),
    '  external:',
    `    ${name}:`,
    `      command: ${quoted(program)}`,
    `      protocol: ${quoted(speaks)}`,
    ...(model === null ? [] : [`      model: ${quoted(model)}`]),
    ...(isCodex ? ['      env: [OPENAI_API_KEY]'] : []),
  ];
  const install = isCodex
    ? 'Install the agent: npm install -g @openai/codex @agentclientprotocol/codex-acp'
    : `Install the agent: ${program} must be on the PATH of the service`;
  const key = isCodex
    ? 'Export its key:    export OPENAI_API_KEY=...'
    : `Name its keys:     runtime.external.${name}.env lists the variables that it gets`;
  const use = isUsed ? [`Use it:            run: { runtime: ${name} }`] : [];
  return { text: textOf(lines), runtime: name, isLimited: false, next: [install, key, ...use] };
}

function nameOf(program: string): string {
  const base = program.split('/').at(-1) ?? '';
  const name = base
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/-acp$/, '')
    .replace(/^[^a-z]+|-+$/g, '');
  return ['', 'native', 'claude', 'playbook', 'external'].includes(name)
    ? 'agent'
    : name.slice(0, 64);
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) && !/^[\d.-]/.test(text) ? text : JSON.stringify(text);
}

function textOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
