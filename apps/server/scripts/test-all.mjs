// @ts-check
// Runs the tests of every package in two lanes that take about as long: those of the service, which take longest by far, with
// a few others, beside the rest. With one lane for everything the service's would start last and then run alone.
import { spawn } from 'node:child_process';

const FIRST = ['@svc/server', '@svc/ops', '@svc/rest-surface'];
const LANES = [FIRST.map((name) => `--filter=${name}`), FIRST.map((name) => `--filter=!${name}`)];

const codes = await Promise.all(
  LANES.map((filter) => {
    const lane = spawn('turbo', ['run', 'test', '--concurrency=1', ...filter], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    });
    return new Promise((resolve) => lane.once('close', (code) => resolve(code ?? 1)));
  }),
);
if (codes.some((code) => code !== 0)) process.exit(1);
process.stdout.write(
  'Not run: the crash tests and the other slow ones. They run with: npm run test:deep\n',
);
