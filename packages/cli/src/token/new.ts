import { createHash, randomBytes } from 'node:crypto';
import { isRecord } from '@svc/core';
import { inspectManagement } from '@svc/mgmt-auth';
import { CATALOGUE } from '@svc/ops';
import type { CommandContext } from '../context.ts';
import { printResult } from '../print-result.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';

const SECRET_BYTES = 24;
const MAX_ID_LENGTH = 128;

/** Prints a new token, the line that sets its variable, and the line that configures its client. Stores nothing. */
export function newToken(context: CommandContext, given: readonly string[]): ExitCode {
  const clientId = clientIdOf(given);
  const { settings } = context.management;
  const block = isRecord(settings) ? settings : {};
  const { instanceId, clients, lines } = inspectManagement(block, {}, CATALOGUE);
  const wrong = lines.find(({ fields }) => fields['key'] === 'managementApi.instanceId');
  if (wrong !== undefined) {
    throw new CommandError(`managementApi.instanceId ${wrong.fields['problem']}.`);
  }
  if (instanceId !== null && !/^[A-Za-z0-9._~+/-]+$/.test(instanceId)) {
    throw new CommandError(
      'managementApi.instanceId has characters that a token cannot contain. Use letters, digits, . _ and -.',
    );
  }
  const variable = variableOf(clientId);
  const token = tokenFor(instanceId);
  const { terminal } = context;
  const client = `${yamlKey(clientId)}: { auth: { ref: env:${variable} } }`;
  printResult(context, { clientId, token, variable, client }, [
    token,
    `${variable}=${token}`,
    client,
  ]);
  const exists = clients.some((client) => client.clientId === clientId);
  for (const line of adviceOn(context, { clientId, instanceId, exists, block })) {
    terminal.error(line);
  }
  return 0;
}

function clientIdOf([clientId = '', ...rest]: readonly string[]): string {
  if (clientId.trim() === '') {
    throw new UsageError('token new takes the name of a client: svc token new ci.');
  }
  if (rest.length > 0) {
    throw new UsageError('token new takes one name. Quote a name with spaces.');
  }
  if (clientId.length > MAX_ID_LENGTH || /\p{Cc}/u.test(clientId)) {
    throw new UsageError(
      `the name of a client must have at most ${MAX_ID_LENGTH} characters and no control characters.`,
    );
  }
  return clientId;
}

// Without a configured instance id, the token contains none: it would be rejected once another id is configured.
function tokenFor(instanceId: string | null): string {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  return instanceId === null ? `tok_${secret}` : `tok_${instanceId}_${secret}`;
}

/** The name of the variable for a client; different for different clients. */
function variableOf(clientId: string): string {
  const plain = `SVC_TOKEN_${clientId.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(clientId)) return plain;
  // Names that differ only in case or special characters would get the same variable.
  const mark = createHash('sha256').update(clientId).digest('hex').slice(0, 8).toUpperCase();
  return `${plain}_${mark}`;
}

// JSON strings are valid YAML.
function yamlKey(clientId: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9_-]*$/.test(clientId);
  const isWord = /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(clientId);
  return isPlain && !isWord ? clientId : JSON.stringify(clientId);
}

interface Advised {
  readonly clientId: string;
  readonly instanceId: string | null;
  /** Whether the client is already configured. */
  readonly exists: boolean;
  readonly block: Readonly<Record<string, unknown>>;
}

function adviceOn({ management }: CommandContext, advised: Advised): string[] {
  const { configFile, envFile } = management;
  const place =
    envFile === null
      ? 'the environment of svc serve, or a file (mode 600) named by envFile'
      : envFile;
  const lines = [
    'Line 1 is the token. Give it to the client and keep it secret: it is not stored and cannot be shown again.',
    `Add line 2 to ${place}.`,
    `Add line 3 under managementApi.clients in ${configFile}. Without a scope, the client can only read.`,
    "Send SIGHUP to a running svc serve to reload both files. If you set the variable in the server's environment instead, restart the server.",
  ];
  if (advised.exists) {
    lines.push(
      `${JSON.stringify(advised.clientId)} is already configured. To keep its current token valid for now, put it in another variable and name that in auth.previousRef.`,
    );
  }
  if (advised.instanceId === null) {
    lines.push(
      'This token is not bound to an instance. To bind one, set managementApi.instanceId and create a new token.',
    );
  }
  const probe = { ...advised.block, clients: { probe: {} } };
  const url = inspectManagement(probe, {}, CATALOGUE).lines.find(
    ({ fields }) => fields['key'] === 'managementApi.publicUrl',
  );
  if (url !== undefined) {
    lines.push(
      `managementApi.publicUrl ${url.fields['problem']}. Set a valid one, such as https://svc.example.com, to enable /mcp.`,
    );
  }
  return lines;
}
