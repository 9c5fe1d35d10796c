import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Run, Trigger } from '../src/data/api-types.ts';
import { bytesText } from '../src/model/network-text.ts';
import { show } from './page.tsx';
import { aRun, aTrigger, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

const HELLO = '/api/projects/hello';
const HOST = { port: 443, count: 1 };
const TARGET = 'packages.example.com:443';
const OWN_LIST = `${TARGET} is not an allowed host. Add ${TARGET} to run.network, or network of the project.`;
const refusal = (reason: string) => ({ ...HOST, host: 'packages.example.com', count: 2, reason });

/** The answers of the service for a run of the trigger `nightly`. */
function serving(run: Partial<Run>, facts: Partial<Trigger['run']> = {}, more: object = {}) {
  const plain = aTrigger('nightly');
  const trigger = { ...plain, run: { ...plain.run, ...facts } };
  const list = HELLO_SERVICE[`GET ${HELLO}/triggers`] as object;
  return serve({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/triggers`]: { ...list, triggers: [trigger] },
    [`GET ${HELLO}/triggers/nightly`]: () => Response.json(trigger, { headers: { ETag: '"v1"' } }),
    [`GET ${HELLO}/runs/r1`]: aRun({ sandbox: 'enforced', ...run }),
    ...more,
  });
}

const network = async (): Promise<HTMLElement> => {
  show('/projects/hello/runs/r1');
  return screen.findByRole('region', { name: 'Network' });
};
const linesOf = (part: HTMLElement): (string | null)[] =>
  [...part.querySelectorAll('h3, li span, p')].map(({ textContent }) => textContent);

// proves: usage.sandbox
test('a run shows whether it was sandboxed, and the hosts that it reached or was refused', async () => {
  const reached = [
    { ...HOST, host: 'api.github.com', count: 3, sent: 12_345, received: 1_234_567 },
    { ...HOST, host: '2001:db8::1' },
    { ...HOST, host: '<b>a\u202e</b>' },
  ];
  const refused = [
    refusal('It is not allowed.'),
    { ...HOST, host: '10.0.0.1', port: 22, reason: 'It is a private\u202e address.' },
    { ...HOST, host: 'b.example', reason: 'It is not allowed.' },
  ];
  serving({ network: { reached, refused, more: { reached: 0, refused: 1200 } } });
  expect(linesOf(await network())).toEqual([
    'Reached',
    ...['api.github.com:443', '3 connections, 12 kB sent, 1.2 MB received'],
    ...['[2001:db8::1]:443', '1 connection'],
    ...['<b>a[U+202E]</b>:443', '1 connection'],
    'Refused',
    ...[TARGET, '2 connections'],
    ...['b.example:443', '1 connection', 'It is not allowed.'],
    ...['10.0.0.1:22', '1 connection', 'It is a private[U+202E] address.'],
    '1,200 connections to hosts that are not listed.',
  ]);
  expect(screen.getByText('Sandboxed')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Allow/ })).toBeNull();
});

test('many hosts of a run are collapsed', async () => {
  const reached = Array.from({ length: 100 }, (_, n) => ({ ...HOST, host: `h${n}.example.com` }));
  serving({ network: { reached, refused: [], more: { reached: 5, refused: 0 } } });
  const details = (await network()).querySelector('details');
  expect(details?.open).toBe(false);
  expect(details?.querySelector('summary')?.textContent).toBe('Reached: 100 hosts');
  expect(details?.querySelectorAll('li')).toHaveLength(100);
  expect(details?.lastChild?.textContent).toBe('5 connections to hosts that are not listed.');
});

test('a run without a record has no part about the network', async () => {
  serve(HELLO_SERVICE);
  show('/projects/hello/runs/r1');
  await screen.findByText(/took 41 s/);
  expect(screen.queryByRole('region', { name: 'Network' })).toBeNull();
  expect(screen.queryByText(/sandboxed/i)).toBeNull();
});

test.each([
  ['agents.sandbox.mode', 'off', /neither limited nor recorded\. agents\.sandbox\.mode is off\.$/],
  ['agents.sandbox.network', 'unrestricted', /agents\.sandbox\.network is unrestricted\.$/],
  [
    'agents.sandbox.mode',
    'auto',
    /Run svc doctor to check whether the service can run sandboxes\.$/,
  ],
])('a run without a sandbox says what that means, where %s is %s', async (name, value, text) => {
  const settings = {
    ...(HELLO_SERVICE['GET /api/settings'] as object),
    settings: { [name]: { value, source: 'file' } },
  };
  serving({ sandbox: 'none' }, {}, { 'GET /api/settings': settings });
  show('/projects/hello/runs/r1');
  await screen.findByText('Not sandboxed');
  await screen.findByText(text);
});

test('a refused host is allowed in the editor of the trigger, as an unsaved change', async () => {
  const seen = serving(
    { network: { reached: [], refused: [refusal(OWN_LIST)] } },
    { network: ['api.github.com'] },
    { [`PUT ${HELLO}/triggers/nightly`]: () => Response.json(aTrigger('nightly')) },
  );
  await network();
  await userEvent.click(await screen.findByRole('button', { name: `Allow… ${TARGET}` }));
  const field = (await screen.findByLabelText('Listed hosts')) as HTMLTextAreaElement;
  expect(field.value).toBe(`api.github.com\n${TARGET}`);
  await screen.findByText(
    `${TARGET} is added to the hosts below. Save to allow it from the next run on.`,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save to project.yaml' }));
  await waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true));
  const put = seen.find(({ method }) => method === 'PUT');
  expect(await put?.json()).toMatchObject({ run: { network: ['api.github.com', TARGET] } });
});

const READER = {
  'GET /api/session': { mode: 'token', signedIn: true, user: null, role: 'read' },
};
const INSTANCE = `${TARGET} is not an allowed host. Add ${TARGET} to agents.sandbox.network.`;
const BOTH = INSTANCE.replace(/\.$/, ' and run.network, or network of the project.');

test.each<[string, string, Partial<Run>, string[] | undefined, object]>([
  ['the trigger has no list', OWN_LIST, {}, undefined, {}],
  ['the trigger allows it by now', OWN_LIST, {}, [TARGET], {}],
  ['the instance does not allow it', INSTANCE, {}, [], {}],
  ['the instance does not allow it either', BOTH, {}, [], {}],
  ['the trigger is gone', OWN_LIST, { trigger: 'removed' }, [], {}],
  ['it belongs to a legacy schedule', OWN_LIST, { source: 'schedule' }, [], {}],
  ['the user may only read', OWN_LIST, {}, [], READER],
])('a refused host cannot be allowed when %s', async (_why, reason, run, hosts, more) => {
  serving(
    { ...run, network: { reached: [], refused: [refusal(reason)] } },
    hosts === undefined ? {} : { network: hosts },
    more,
  );
  const part = await network();
  await screen.findByText(reason);
  // The triggers are known when the name of the project is.
  await screen.findByRole('link', { name: 'Runs of Hello' });
  expect(part.querySelector('button')).toBeNull();
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9949, '9.9 kB'],
  [12_345, '12 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [5e9, '5.0 GB'],
  [1e18, '1000000 TB'],
])('%s bytes read %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
