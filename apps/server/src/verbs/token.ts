import type { ExitCode } from '@svc/cli';
import type { VerbContext } from '../verb-context.ts';
import { checkTokens } from './token-check.ts';
import { newToken } from './token-new.ts';

/** Creates a token for a client of the management endpoint, or checks the configured ones. */
export async function tokenVerb(context: VerbContext): Promise<ExitCode> {
  const [what, ...rest] = context.arguments;
  return what === 'new' ? newToken(context, rest) : checkTokens(context, rest);
}
