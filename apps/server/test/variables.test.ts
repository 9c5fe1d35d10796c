import { expect, it } from '@jest/globals';
import { resolveSettings } from '@svc/settings';
import { homeAt } from '../src/home.ts';
import { agentEnvironment } from '../src/instance-ops.ts';
import { readKeys } from '../src/keys.ts';
import { readManagement } from '../src/management.ts';
import { readAuth } from '../src/sign-in.ts';

const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
const HOME = homeAt('/nowhere', null);
const TOKEN = 'a-token-of-thirty-two-characters!';

const settingsIn = (file: string) => {
  const found = resolveSettings({ file, env: {}, flags: {} });
  if (!found.ok) throw new TypeError(JSON.stringify(found.issues));
  return found.settings;
};

it.each(INHERITED)('a variable named %s is not set unless the environment has it', async (name) => {
  const settings = settingsIn(
    `auth: { mode: token, tokenRef: "env:${name}" }
agents: { env: ["${name}"] }
managementApi:
  instanceId: one
  clients:
    bad: { auth: { type: token, ref: "env:${name}" } }
    good: { auth: { type: token, ref: env:GOOD } }
`,
  );
  const env = { GOOD: TOKEN };
  const keys = await readKeys(HOME, settings, env);
  expect(keys.of(name)).toBeNull();
  expect(keys.secrets).toEqual([TOKEN]);
  await expect(readAuth(HOME, settings, env)).rejects.toThrow(`${name}, which is not set`);
  expect(Object.entries(agentEnvironment(env, settings.agents.env))).toEqual([['LANG', 'C.UTF-8']]);
  const { clients } = await readManagement(HOME, settings, env);
  expect(clients.map(({ clientId, usable }) => [clientId, usable])).toEqual([
    ['bad', false],
    ['good', true],
  ]);
});
