// @ts-check
// Measures many triggers on one machine: `--small` for a quick run. Choose measurements and parts by name, as in
// `node bench/scale.bench.mjs arming fires`.
import { measureArming } from './scale/arming.mjs';
import { measureFires } from './scale/fires.mjs';
import { measureHistory } from './scale/history.mjs';
import { measureIdle } from './scale/idle.mjs';

const isSmall = process.argv.includes('--small');
const named = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const parts = {
  arming: measureArming,
  idle: measureIdle,
  fires: measureFires,
  history: measureHistory,
};

for (const [name, measure] of Object.entries(parts)) {
  if (named.length === 0 || named.includes(name)) await measure(isSmall);
}
