// @ts-check
// Project files within the limit of 1 MiB that take long to parse.

const MIB = 1024 * 1024;

/** @param {number} count @param {(n: number) => string} line */
const lines = (count, line) => Array.from({ length: count }, (_, n) => line(n)).join('');

/** @type {Record<string, () => string>} */
export const HOSTILE = {
  '60,000 unknown keys': () => lines(60_000, (n) => `promt${n}: x\n`),
  '60,000 aliases': () => `a: &a x\nb:\n${lines(60_000, () => '  - *a\n')}`,
  '9,000 aliases': () => `a: &a x\nb:\n${lines(9000, () => '  - *a\n')}`,
  '9,000 triggers': () =>
    `triggers:\n${lines(9000, (n) => `  t${n}: { trigger: { type: schedule, cron: ${n % 60} 3 * * * }, run: { prompt: Look }, enabled: true }\n`)}`,
  'comment lines only': () => lines(Math.floor(MIB / 2) - 500, () => '#\n'),
  '9,000 triggers with unknown keys': () =>
    `triggers:\n${lines(9000, (n) => `  t${n}: { trigger: { typ: schedule, corn: x }, rnu: { a: 1 }, b: 1, c: 2, d: 3 }\n`)}`,
  '2,000 triggers every 5 minutes': () =>
    `triggers:\n${lines(2000, (n) => `  t${n}: { trigger: { type: schedule, interval: ${300 + n}s }, run: { prompt: Look }, enabled: false }\n`)}`,
  '2,000 triggers of 150 unknown tools': () =>
    `triggers:\n${lines(2000, (n) => `  t${n}: { trigger: { type: webhook }, run: { prompt: x, tools: [${'Re,'.repeat(145)}] } }\n`)}`,
  'a long list of tools': () =>
    `triggers:\n  a: { trigger: { type: webhook }, run: { prompt: x, tools: [${lines(200_000, () => 'x, ')}y] } }\n`,
};
