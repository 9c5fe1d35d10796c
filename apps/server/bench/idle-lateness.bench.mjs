// @ts-check
// Measures the lateness of claims in an idle service: one trigger per second, as recorded by the service itself.
import { makeHome, print, quantile, removeHome, startServer } from './support.mjs';

const SECONDS = 20;
const project = `triggers:
  beat:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`write beat.txt\\nx\\n\`\`\`" }
    enabled: true
`;
const home = makeHome({ 'projects/demo/project.yaml': project });
const server = await startServer(home);
await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
const response = await fetch(`${server.url}/api/projects/demo/runs?limit=200`);
const { runs } = /** @type {{ runs: import('@svc/records').Run[] }} */ (await response.json());
await server.stop();
removeHome(home);
const late = runs.map((run) => run.lateMs ?? Number.NaN);
const started = runs
  .filter((run) => run.startedAt !== null)
  .map((run) => Date.parse(String(run.startedAt)) - Date.parse(String(run.scheduledFor)));
const whole = runs
  .filter((run) => run.outcome === 'succeeded')
  .map((run) => Date.parse(String(run.endedAt)) - Date.parse(String(run.scheduledFor)));
const row = (/** @type {string} */ name, /** @type {number[]} */ values) =>
  print(
    `${name.padEnd(32)} p50 ${quantile(values, 0.5)} ms  p99 ${quantile(values, 0.99)} ms  max ${Math.max(...values)} ms`,
  );
print(`${runs.length} slots of one second`);
row('slot to committed claim', late);
row('slot to started turn', started);
row('slot to ended turn (one step)', whole);
if (runs.length < SECONDS - 3) {
  print('Too few slots were claimed.');
  process.exitCode = 1;
}
