import type { VerbContext } from './context.ts';

/** Whether a program reads what the command says. */
export function asksForJson({ options }: Pick<VerbContext, 'options'>): boolean {
  return options['json'] === true;
}

/** Says what came of a command: to a program as one JSON value, to a person in lines. */
export function tell(
  context: Pick<VerbContext, 'options' | 'terminal'>,
  value: object,
  lines: readonly string[],
): void {
  const { terminal } = context;
  if (asksForJson(context)) terminal.text(JSON.stringify(value, null, 2));
  else for (const line of lines) terminal.out(line);
}
