import type { VerbContext } from './context.ts';

/** Whether output is JSON. */
export function asksForJson({ options }: Pick<VerbContext, 'options'>): boolean {
  return options['json'] === true;
}

/** Prints the result of a command: as JSON with `--json`, otherwise as lines. */
export function printResult(
  context: Pick<VerbContext, 'options' | 'terminal'>,
  value: object,
  lines: readonly string[],
): void {
  const { terminal } = context;
  if (asksForJson(context)) terminal.text(JSON.stringify(value, null, 2));
  else for (const line of lines) terminal.out(line);
}
