// @ts-check
import { newId } from '@svc/core';

const PROMPT = '```sh\necho hello\n```\n';
const INSTRUCTIONS =
  'You work on your own in the folder of a project, started by svc: no one is there to answer questions.';
const DAY_MS = 86_400_000;

/**
 * Writes a run of a slot of one step, in as many transactions as the service does.
 *
 * @param {import('@svc/store').Store} store
 * @param {import('@svc/records').TriggerKey} key
 * @param {number} at
 */
export async function writeRun(store, key, at) {
  await arm(store, key, at);
  const slot = {
    key,
    scheduleHash: 'h',
    as: /** @type {const} */ ('run'),
    from: at,
    until: at,
    count: 1,
  };
  const [verdict] = await store.claims.claim([
    { ...slot, claimedAt: at + 1, lateMs: 1, catchUp: false, reason: null },
  ]);
  if (!verdict?.won) throw new Error('A slot was not claimed.');
  const capability = capabilityOf(key);
  const sessionId = newId();
  const turnId = newId();
  await store.turns.open({
    ...{ turnId, sessionId, project: key.project, prompt: PROMPT, capability, depth: 0 },
    ...{ parentTurn: null, timeoutMs: 3_600_000, at: at + 2, owner: null },
    chat: {
      ...{ sessionId, project: key.project, name: key.name, origin: 'trigger', by: null },
      ...{ triggerName: key.name, capability, model: null, runtime: 'native', forkedFrom: null },
      ...{ depth: 0, instructions: INSTRUCTIONS },
    },
    run: { claimed: verdict.runId },
    daily: { day: new Date(at).toISOString().slice(0, 10), ofTrigger: null, ofAll: null },
    messages: [
      message('system', 'notice', bannerOf(capability.agentName ?? '')),
      message('system', 'notice', INSTRUCTIONS),
      message('user', 'text', PROMPT),
    ],
  });
  await store.turns.start(turnId, at + 3, at + DAY_MS, store.nodeId);
  const call = { callId: newId(), name: 'Bash' };
  const use = {
    ...message('assistant', 'tool_use', ''),
    tool: { ...call, input: { command: 'echo hello' } },
  };
  await store.turns.append(turnId, sessionId, [use], at + 4);
  const result = {
    ...message('tool', 'tool_result', 'hello\n'),
    tool: { ...call, isError: false },
  };
  await store.turns.append(turnId, sessionId, [result], at + 12);
  const counts = { turns: 1, toolCalls: 1, denied: [], model: 'playbook' };
  const used = { tokensIn: null, tokensOut: null, costMicrousd: null };
  await store.turns.end(
    turnId,
    { outcome: 'succeeded', reason: null, ...counts, ...used },
    at + 15,
  );
}

/** @type {Set<string>} */
const armed = new Set();

/** @param {import('@svc/store').Store} store @param {import('@svc/records').TriggerKey} key @param {number} at */
async function arm(store, key, at) {
  const known = `${store.nodeId} ${key.project}/${key.name}`;
  if (armed.has(known)) return;
  armed.add(known);
  const cursor = { scheduleHash: 'h', anchor: at - 1, armedSince: at - 1, cursor: at - 1 };
  await store.claims.arm([{ key, cursor, definitionHash: 'd' }]);
}

/** @param {import('@svc/records').TriggerKey} key @returns {import('@svc/records').Capability} */
function capabilityOf({ project, name }) {
  const limits = { maxTurns: 30, maxSpawnDepth: 1 };
  const agentName = `trigger-${project}-${name}`;
  return { runsAs: 'agent', agentName, tools: ['Bash'], permissionMode: 'default', ...limits };
}

/** @param {string} name */
function bannerOf(name) {
  return `Runs as ${name}, with only the tools listed.\nTools: Bash.\nPermission mode: default. Listed tools run without asking.\nAt most 30 steps per turn. This runtime uses no AI.\nIt cannot start turns.\nBash is not sandboxed: it can access everything its user account can access.`;
}

/**
 * @template {'system' | 'user' | 'assistant' | 'tool'} R
 * @template {'notice' | 'text' | 'tool_use' | 'tool_result'} K
 * @param {R} role @param {K} kind @param {string} text
 */
function message(role, kind, text) {
  return { role, kind, text, tool: null };
}
