// @ts-check
// Measures a fire with traces disabled, enabled, and with an unavailable collector, as ratios to disabled. With the path of the
// svc.js of another build as an argument, that build is measured too.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { makeHome, print, quantile, removeHome, startServer } from './support.mjs';

const ROUNDS = 3;
const FIRES = 200;
const [, , other] = process.argv;

const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end());
});
collector.listen(0, '127.0.0.1');
await once(collector, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (collector.address());

const PROJECT = `triggers:
  work:
    trigger: { type: schedule, interval: 1h }
    enabled: false
    run: { prompt: "\`\`\`write a.txt\\nb\\n\`\`\`", model: playbook, tools: [Write] }
`;

/** @param {string | null} url @param {string} [bin] */
async function measure(url, bin) {
  const config = url === null ? '{}' : `telemetry: { traces: { url: "${url}" } }`;
  const home = makeHome({ 'projects/demo/project.yaml': PROJECT, 'svc.config.yaml': config });
  const server = await startServer(home, bin);
  const fireAll = async () => {
    const from = performance.now();
    for (let n = 0; n < FIRES; n += 1) {
      const at = `${server.url}/api/projects/demo/triggers/work/run`;
      const { sessionId } = await (await fetch(at, { method: 'POST' })).json();
      if (typeof sessionId !== 'string') throw new Error('The trigger did not fire.');
    }
    // Until the last one has ended.
    for (;;) {
      const { runs } = await (await fetch(`${server.url}/api/runs?limit=5`)).json();
      if (runs.every((/** @type {{ state: string }} */ { state }) => state === 'ended')) break;
    }
    return (performance.now() - from) / FIRES;
  };
  await fireAll();
  const times = [];
  for (let n = 0; n < 3; n += 1) times.push(await fireAll());
  const found = { startMs: server.startMs, mb: server.rssMb(), ms: Math.min(...times) };
  await server.stop();
  removeHome(home);
  return found;
}

const cases = /** @type {const} */ ([
  ['off', null, undefined],
  ...(other === undefined ? [] : [/** @type {const} */ (['off, other build', null, other])]),
  ['on', `http://127.0.0.1:${port}/v1/traces`, undefined],
  ['on, collector away', 'http://127.0.0.1:9/v1/traces', undefined],
]);
/** @type {Map<string, Awaited<ReturnType<typeof measure>>[]>} */
const found = new Map(cases.map(([name]) => [name, []]));
// Alternating, so that other load affects all cases alike.
for (let n = 0; n < ROUNDS; n += 1) {
  for (const [name, url, bin] of cases) found.get(name)?.push(await measure(url, bin));
}
const of = (/** @type {string} */ name, /** @type {'ms' | 'mb' | 'startMs'} */ what) =>
  quantile(
    (found.get(name) ?? []).map((one) => one[what]),
    0.5,
  );
for (const [name] of cases) {
  const ratio = (/** @type {'ms' | 'mb' | 'startMs'} */ what) =>
    (of(name, what) / of('off', what)).toFixed(2);
  print(
    `${name.padEnd(20)} a fire ${of(name, 'ms').toFixed(2)} ms (${ratio('ms')}x)   start ${of(name, 'startMs').toFixed(0)} ms (${ratio('startMs')}x)   RSS ${of(name, 'mb').toFixed(0)} MB (${ratio('mb')}x)`,
  );
}
collector.close();
