import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive, violations } from './pages.ts';

const { open } = browserForFile();

const TOKEN = 'a token that is hard to guess';

describe('with an access token', () => {
  const service = serviceFor({
    config: 'auth: { mode: token, tokenRef: "env:SVC_ACCESS_TOKEN" }\n',
    env: { SVC_ACCESS_TOKEN: TOKEN },
  });

  async function enter(page: Page, token = TOKEN): Promise<void> {
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  test('a deep link opens after the sign-in; signing out returns to the sign-in', async () => {
    const page = await open(service.hello());
    await page.waitForURL('**/sign-in?next=%2Fprojects%2Fhello');
    await enter(page, 'wrong');
    await page.getByText(/^Wrong access token/).waitFor();
    await enter(page);
    await page.waitForURL('**/projects/hello');
    await isLive(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    expect((await page.request.get(service.at('/api/projects'))).status()).toBe(401);
  });

  test.each(['//evil.example/x', '/%5Cevil.example', '/%09/evil.example', 'https://evil.example'])(
    'next=%s is ignored',
    async (next) => {
      const page = await open(service.at(`/sign-in?next=${next}`));
      await enter(page);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(page.url()).toBe(service.at('/'));
    },
  );

  // proves: page.sign-in-draft
  test('unsent text survives an expired session and is sent after the sign-in', async () => {
    const page = await open(service.at('/sign-in'));
    await enter(page);
    await isLive(page);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Written before');
    await page.getByLabel(/^Summary/).fill('Kept.');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await page.getByText('Signed out').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await enter(page);
    await dialog.waitFor({ state: 'detached' });
    await isLive(page);
    expect(await page.getByLabel('Name').inputValue()).toBe('Written before');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/projects/written-before');
    const file = join(service.folder(), 'projects/written-before/project.yaml');
    expect(await readFile(file, 'utf8')).toMatch(/^summary: .*Kept\./m);
  });

  test('too many wrong tokens show how long to wait', async () => {
    const page = await open(service.at('/sign-in'));
    const tryWrong = async (): Promise<boolean> => {
      const data = { token: 'wrong' };
      return (await page.request.post(service.at('/api/session'), { data })).status() === 429;
    };
    await eventually(tryWrong);
    await enter(page);
    await page.getByText(/^Try again in \d+ s\.$/).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).isDisabled()).toBe(
      true,
    );
    expect(await violations(page)).toEqual([]);
  });
});

describe('behind a proxy that signs users in', () => {
  const service = serviceFor({
    config: [
      'auth:',
      '  mode: trusted-header',
      '  header: X-Forwarded-User',
      '  rolesHeader: X-Forwarded-Groups',
      '  trustedProxies: [loopback]',
      '  roles: { read: [viewers], write: [operators] }',
      '',
    ].join('\n'),
  });
  const ada = (group: string) => ({ 'X-Forwarded-User': 'ada', 'X-Forwarded-Groups': group });

  test('a user without a name sees why, and no form', async () => {
    const page = await open(service.hello());
    await page.getByText(/^A proxy handles sign-in/).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  test('a user without a known role sees why', async () => {
    const page = await open(service.hello(), undefined, ada('guests'));
    await page.getByText('You are signed in as ada.').waitFor();
  });

  test('a reader sees everything, and all controls are disabled', async () => {
    const page = await open(service.hello(), undefined, ada('viewers'));
    await isLive(page);
    await page.getByText('Read-only', { exact: true }).waitFor();
    const off = [
      page.getByRole('switch', { name: 'Enabled: heartbeat' }),
      page.getByRole('button', { name: 'Run now: heartbeat' }),
      page.getByRole('button', { name: 'New trigger' }),
    ];
    for (const control of off) {
      expect(await control.isDisabled()).toBe(true);
      expect(await control.getAttribute('title')).toMatch(/^You have read-only access/);
    }
    await page.keyboard.press('n');
    expect(page.url()).toBe(service.hello());
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    expect(await page.getByRole('button', { name: 'New project' }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  test('a user with the write role can make changes', async () => {
    const page = await open(service.hello(), undefined, ada('operators'));
    await page.getByText('Read and write', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Enabled: weekday-report' }).click();
    await eventually(async () => !(await service.read()).includes('enabled: false'));
  });
});

describe('with tokens of an identity provider', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let keys: Server;
  const ISSUER = 'https://id.example.com';

  beforeAll(async () => {
    const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' };
    keys = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ keys: [key] }));
    }).listen(0, '127.0.0.1');
    await once(keys, 'listening');
  });
  afterAll(() => {
    keys.close();
  });
  const service = serviceFor(() => ({
    config: [
      'auth:',
      '  mode: jwt',
      `  jwt: { issuer: "${ISSUER}", audience: svc, jwksUrl: "http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys" }`,
      '',
    ].join('\n'),
  }));

  function tokenOf(sub: string): string {
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const exp = Math.floor(Date.now() / 1000) + 600;
    const head = `${part({ alg: 'RS256', kid: 'k' })}.${part({ iss: ISSUER, aud: 'svc', sub, exp })}`;
    return `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`;
  }

  test('a request without a token shows why, and no form', async () => {
    const page = await open(service.at());
    await page.getByText(/^An identity provider handles sign-in/).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  test('a request with a token is signed in by name', async () => {
    const headers = { Authorization: `Bearer ${tokenOf('grace')}` };
    const page = await open(service.at(), undefined, headers);
    await isLive(page);
    await page.getByText('grace', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  });
});

describe('without a sign-in', () => {
  const service = serviceFor({ config: 'auth: { mode: none }\n' });

  test('no sign-in is required', async () => {
    const page = await open(service.at('/sign-in?next=/settings'));
    await page.getByText('You do not need to sign in.').waitFor();
  });

  test('a failed clone is reported at its field, and leaves nothing behind', async () => {
    const page = await open(service.at());
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel(/clone/).check();
    await page.getByLabel('Git repository', { exact: true }).fill('file:///etc');
    await page.getByLabel('Name').fill('Cloned');
    await page.getByRole('button', { name: 'Clone' }).click();
    const field = page.getByLabel('Git repository', { exact: true });
    await page.waitForFunction(() => document.querySelector('[name=repo][aria-invalid=true]'));
    expect(await field.getAttribute('aria-describedby')).not.toBeNull();
    expect(await violations(page)).toEqual([]);
    const left = await stat(join(service.folder(), 'projects/cloned')).catch(() => null);
    expect(left).toBeNull();
  });
});
