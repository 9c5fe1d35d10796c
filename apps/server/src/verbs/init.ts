import { homeAt, initHome } from '../home.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** Makes a home folder with a configuration file and a small project to learn from. */
export async function initVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 1) throw new UsageError('init takes one folder.');
  const folder = context.arguments[0];
  const home = folder === undefined ? context.home : homeAt(folder, null);
  if (!(await initHome(home))) {
    throw new CommandError(`${home.root} holds projects already: nothing was changed.`);
  }
  context.terminal.out(`Made ${home.root} with the project hello.`);
  context.terminal.out(`Start it with: svc serve --home ${home.root}`);
  return 0;
}
