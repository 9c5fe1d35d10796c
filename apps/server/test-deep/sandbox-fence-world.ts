import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  playbookOf,
  type ScriptedEndpoint,
  startScriptedEndpoint,
} from '@svc/agent-runtime/testing';
import type { Run } from '@svc/records';
import { type ScriptedModel, startScriptedModel } from '@svc/runtime-claude/testing';
import { fire, writeProject, writeSettings } from '../test/agents.ts';
import { openHome, type Running, type TestHome, until } from '../test/harness.ts';
import { plantFiles, type Results, readResults, SECRET } from './sandbox-fence-files.ts';
import { openListeners } from './sandbox-fence-listeners.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PLANT = pathOf('attacks/plant.pl');
const INSTALLER = pathOf('install-foreign.mjs');
const SDK = 'claude-agent-sdk';
const AGENT = pathOf('../../../packages/runtime-external/test/agents/raw-agent.mjs');

/** The token of a client of the management API. */
export const TOKEN: string = `${SECRET}-managementtoken`;

/** The runtimes of svc, which are also the names of the triggers that use them. */
export const RUNTIMES = ['native', 'playbook', 'claude', 'acp', 'text'] as const;
type RuntimeName = (typeof RUNTIMES)[number];

/** A service with secrets around it, and listeners of which agents must reach none. */
export interface FenceWorld {
  readonly home: TestHome;
  readonly server: Running;
  /** What reached a listener. */
  readonly reached: readonly string[];
  /** Fires the trigger of a runtime, whose agent makes the attempts of all groups. */
  attack(runtime: RuntimeName): Promise<readonly [Run, Results]>;
  /** The status of a process that agents must not reach, empty if it has ended. */
  victim(): string;
  /** Commands of processes that a turn left behind. */
  left(): readonly string[];
  close(): Promise<void>;
}

/** Options of a service that is attacked. */
export interface FenceOptions {
  /** `agents.sandbox.mode` */
  readonly mode: 'required' | 'off';
  /** Groups of attempts, see attacks/attack.sh. */
  readonly groups: readonly string[];
  /** The runs of other triggers by name. */
  readonly more?: Readonly<Record<string, object>>;
}

/** Starts a service with a trigger for each runtime. */
export async function openFenceWorld(options: FenceOptions): Promise<FenceWorld> {
  const opened: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    return { ...(await startAll(options, (end) => opened.push(end))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startAll(
  options: FenceOptions,
  atEnd: (end: () => unknown) => void,
): Promise<Omit<FenceWorld, 'close'>> {
  const endpoint = await startScriptedEndpoint();
  atEnd(endpoint.close);
  const model = await startScriptedModel();
  atEnd(model.close);
  const home = openHome();
  atEnd(home.close);
  const listeners = await openListeners(home.home);
  atEnd(listeners.close);
  // Numbers and names that no other process has.
  const [left, name] = [`9${process.pid}`, `svc-fence-victim-${process.pid}`];
  const victim = startVictim(name);
  atEnd(() => victim.kill('SIGKILL'));
  writeConfiguration(home, options, endpoint, model);
  plantFiles(home);
  await linkSdk(home);
  const server = await startService(home);
  await storeSecret(server);
  writeTargets(home, {
    ...{ SVC_HOME: home.home, PERSON: join(home.home, 'person'), KEY: home.tryRead('key') },
    ...{ VICTIM: name, VICTIM_PID: victim.pid ?? 0, LEFT: left },
    ...{ SERVICE_PID: server.process.pid ?? 0, SERVICE_PORT: new URL(server.url).port },
    ...listeners.targets,
  });
  return {
    ...{ home, server, reached: listeners.reached },
    async attack(runtime) {
      const command = attackOf(runtime, options);
      model.script([{ calls: [{ name: 'Bash', input: { command } }] }]);
      return [await fire(server, runtime), readResults(home, `results-${runtime}`)];
    },
    victim: () => tryRead(`/proc/${victim.pid}/status`),
    left: () => processesWith(left),
  };
}

/** A process with a secret, which waits. */
function startVictim(name: string): ChildProcess {
  return spawn('/bin/sh', ['-c', 'read -r _', name], {
    env: { VICTIM: `${SECRET}-victim` },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

/** Writes the variables of the attack. */
function writeTargets(home: TestHome, targets: Readonly<Record<string, string | number>>): void {
  const lines = Object.entries(targets).map(([name, value]) => `export ${name}='${value}'\n`);
  home.write('projects/demo/attacks/targets.sh', lines.join(''));
}

function attackOf(runtime: RuntimeName, { groups }: FenceOptions): string {
  return `. attacks/targets.sh; bash attacks/attack.sh results-${runtime} ${groups.join(' ')}`;
}

function writeConfiguration(
  home: TestHome,
  options: FenceOptions,
  endpoint: ScriptedEndpoint,
  model: ScriptedModel,
): void {
  writeSettings(home, {
    agents: { sandbox: { mode: options.mode } },
    envFile: 'secret.env',
    runtime: {
      native: { model: 'scripted', baseUrl: endpoint.baseUrl, apiKey: { ref: 'env:MODEL_KEY' } },
      claude: { model: 'sonnet', baseUrl: model.url, apiKey: { ref: 'env:CLAUDE_KEY' } },
      external: {
        acp: { command: process.execPath, args: [AGENT], protocol: 'acp' },
        text: { command: '/bin/bash', args: ['-s'], protocol: 'text' },
      },
    },
    managementApi: {
      ...{ instanceId: 'home', publicUrl: 'https://svc.example.com' },
      clients: { ci: { auth: { ref: 'env:CI_TOKEN' }, scope: { allow: ['*'] } } },
    },
  });
  const command = (runtime: RuntimeName): string => attackOf(runtime, options);
  const calls = (runtime: RuntimeName) => [{ name: 'Bash', input: { command: command(runtime) } }];
  const tools = ['Bash', 'WebFetch'];
  const steps = [{ run: command('acp') }, { say: 'Done.' }];
  writeProject(home, {
    native: { prompt: endpoint.promptOf(calls('native')), tools },
    playbook: { prompt: playbookOf(calls('playbook')), model: 'playbook', tools },
    claude: { prompt: 'Attack.', runtime: 'claude', tools },
    acp: { prompt: `[${JSON.stringify(steps)}]`, runtime: 'acp', tools },
    text: { prompt: `${command('text')}; echo Done.; exit 0\n`, runtime: 'text', tools },
    victim: { prompt: '~~~bash\ntrue\n~~~\n', model: 'playbook', tools: ['Bash'] },
    ...options.more,
  });
}

async function linkSdk(home: TestHome): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [INSTALLER, SDK]);
  mkdirSync(join(home.home, 'runtimes/claude'), { recursive: true });
  symlinkSync(JSON.parse(stdout)[SDK], join(home.home, 'runtimes/claude/sdk'));
}

/** Starts it with a terminal, a key in its session keyring, and secrets in its environment. */
function startService(home: TestHome): Promise<Running> {
  return home.serveThrough(['perl', PLANT, join(home.home, 'key'), `${SECRET}-key`], {
    ...{ HOME: join(home.home, 'person'), SERVICE_SECRET: `${SECRET}-environment` },
    // The agent program of the runtime claude needs its key.
    ...{ MODEL_KEY: `${SECRET}-modelkey`, CLAUDE_KEY: 'sk-ant-0123456789', CI_TOKEN: TOKEN },
  });
}

/** Stores a chat of another project with a secret in the database. */
async function storeSecret(server: Running): Promise<void> {
  const chat = { prompt: `${SECRET}-database`, model: 'playbook' };
  const { body } = await server.send('POST', '/api/projects/other/chats', chat);
  const { sessionId } = body as { sessionId: string };
  await until(async () => {
    const read = await server.get(`/api/projects/other/chats/${sessionId}`);
    return JSON.stringify(read.body).includes(`${SECRET}-database`);
  });
}

function processesWith(text: string): readonly string[] {
  const commands = readdirSync('/proc').map((pid) => tryRead(`/proc/${pid}/cmdline`));
  const found = commands.filter((command) => command.includes(text));
  return found.map((command) => command.replaceAll('\0', ' ').trim());
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
