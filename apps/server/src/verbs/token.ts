import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { checkTokens } from './token-check.ts';
import { newToken } from './token-new.ts';

/** Creates a token for a client of the management endpoint, or checks the configured ones. */
export async function tokenVerb(context: VerbContext): Promise<ExitCode> {
  const [what, ...rest] = context.arguments;
  if (what === 'new') return newToken(context, rest);
  if (what === 'check') return checkTokens(context, rest);
  throw new UsageError('token takes new or check: svc token new ci, svc token check.');
}
