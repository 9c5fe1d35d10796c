import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';

const DIST = new URL('../dist/', import.meta.url);

interface Output {
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { path: string; kind: string }[];
}

const outputs: Readonly<Record<string, Output>> = JSON.parse(
  readFileSync(new URL('bundle.json', DIST), 'utf8'),
);

/** The files that a start reads: this one and, recursively, its static imports. */
function startedWith(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement' && next in outputs) startedWith(next, found);
  return found;
}

const containing = (input: string): string[] =>
  Object.keys(outputs).filter((path) => input in (outputs[path]?.inputs ?? {}));

/** The files that a start of the service reads. */
const [internals = ''] = containing('dist/internals.js');
const started = [...startedWith(internals, startedWith('dist/svc.js'))];

describe('the bundled program', () => {
  it('loads the internals of a home only when a command needs them', () => {
    expect(containing('dist/serve.js')).toEqual([internals]);
    expect([...startedWith('dist/svc.js')]).not.toContain(internals);
  });

  // proves: nodes.not-loaded
  it('loads the database client only when a server database is configured', () => {
    const isDriver = (path: string): boolean =>
      Object.keys(outputs[path]?.inputs ?? {}).some((input) => input.includes('/pg/lib/client.js'));
    expect(Object.keys(outputs).filter(isDriver)).toHaveLength(1);
    expect(started.length).toBeGreaterThan(1);
    expect(started.filter(isDriver)).toEqual([]);
  });

  it('contains none of the body parsers of express', () => {
    const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    expect(inputs.some((input) => input.includes('/express/lib/'))).toBe(true);
    expect(inputs.filter((input) => /\/(body-parser|raw-body|iconv-lite)\//.test(input))).toEqual(
      [],
    );
  });

  // proves: traces.off
  it('loads the trace exporter only when an endpoint is set', () => {
    const isTracing = (path: string): boolean =>
      Object.keys(outputs[path]?.inputs ?? {}).some(
        // Metrics use the API package alone, which does nothing without an exporter.
        (input) => /\/@opentelemetry\/(?!api\/)/.test(input),
      );
    const tracing = Object.keys(outputs).filter(isTracing);
    expect(tracing.length).toBeGreaterThan(0);
    expect(started.filter(isTracing)).toEqual([]);
    // In CommonJS format all of it would be included.
    const bytes = tracing.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
    expect(bytes).toBeLessThan(200_000);
  });

  it('contains the native kernel locks for every platform, as their package has them', () => {
    const locks = new URL('locks/', DIST);
    const { resolve } = createRequire(import.meta.url);
    const library = resolve('fs-native-extensions/package.json').replace('package.json', '');
    expect(readdirSync(locks)).toHaveLength(4);
    for (const name of readdirSync(locks)) {
      const original = `${library}prebuilds/${name.replace('.node', '')}/fs-native-extensions.node`;
      expect(readFileSync(new URL(name, locks)).equals(readFileSync(original))).toBe(true);
    }
  });
});
