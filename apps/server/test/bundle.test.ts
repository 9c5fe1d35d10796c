import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const DIST = new URL('../dist/', import.meta.url).pathname;
const read = (name: string): string => readFileSync(join(DIST, name), 'utf8');

/** The files that a start reads: what this one imports by itself, and so on. */
function startedWith(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, next = ''] of read(name).matchAll(
    /^(?:import|\} from|export).*"\.\/(svc[^"]+)";$/gm,
  ))
    startedWith(next, found);
  return found;
}

describe('the program as it is built', () => {
  // proves: nodes.not-loaded
  it('loads what speaks to database servers only where one is named', () => {
    // A sentence of the driver.
    const isDriver = (name: string): boolean => read(name).includes('SASL: SCRAM');
    const all = readdirSync(DIST).filter((name) => /^svc.*\.js$/.test(name));
    expect(all.filter(isDriver)).toHaveLength(1);
    const started = [...startedWith('svc.js')];
    expect(started.length).toBeGreaterThan(1);
    expect(started.filter(isDriver)).toEqual([]);
  });
});
