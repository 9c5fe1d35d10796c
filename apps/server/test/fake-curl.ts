/** The parts of curl that the docs use, as a Node program: not every machine has curl. */
export const FAKE_CURL = `
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const text = (short) => ({ type: 'string', short });
const quiet = { type: 'boolean' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    header: { type: 'string', short: 'H', multiple: true },
    data: text('d'), request: text('X'), cookie: text('b'), 'cookie-jar': text('c'),
    silent: { type: 'boolean', short: 's' }, 'show-error': { type: 'boolean', short: 'S' },
    'fail-with-body': quiet, 'no-progress-meter': quiet,
  },
});
const headers = (values.header ?? []).map((line) => /^([^:]+):\\s*(.*)$/s.exec(line).slice(1));
if (values.cookie) headers.push(['Cookie', readFileSync(values.cookie, 'utf8').trim()]);
const method = values.request ?? (values.data === undefined ? 'GET' : 'POST');
const response = await fetch(positionals[0], { method, headers, body: values.data });
if (values['cookie-jar']) {
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  writeFileSync(values['cookie-jar'], cookies.join('; '));
}
process.stdout.write(await response.text());
process.exitCode = response.status < 400 ? 0 : 22;
`;
