import type { CommandLine } from './context.ts';

/** Whether output is JSON. */
export function asksForJson({ options }: Pick<CommandLine, 'options'>): boolean {
  return options['json'] === true;
}

/** Prints the result of a command: as JSON with `--json`, otherwise as lines, or by the given function. */
export function printResult(
  context: Pick<CommandLine, 'options' | 'terminal'>,
  value: object,
  lines: readonly string[] | (() => void),
): void {
  const { terminal } = context;
  if (asksForJson(context)) terminal.text(JSON.stringify(value, null, 2));
  else if (typeof lines === 'function') lines();
  else for (const line of lines) terminal.out(line);
}
