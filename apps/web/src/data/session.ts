import { ApiError, bodyOf, type Schemas } from '@svc/client';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { ownTexts } from './kept-text.ts';

/** Who is asking, as far as the service knows. */
export type Session = Schemas['Session'];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => {
    const session = bodyOf(await api.GET('/api/session', { signal }));
    // Nobody's texts wait for whoever signs in again.
    if (session.signedIn) ownTexts(session.user);
    return session;
  },
});

/** Who is asking; undefined while nothing is known, and where a service does not tell. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether the service has said who is asking, or has been asked in vain; once it has it stays so. */
export function useIsAnswered(): boolean {
  return useQuery(sessionQuery).isFetched;
}

/** Whether nothing is answered before somebody signs in, or before somebody gives them a role. */
export function isOut(session: Session | undefined): boolean {
  return session !== undefined && (!session.signedIn || session.role === null);
}

/** Looks again who is asking when an answer says that nobody is known, or that a role is missing. */
export function noteRefusal(queries: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError) || (error.status !== 401 && error.code !== 'not_permitted'))
    return;
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false });
}

/** What came of a try to sign in. `waitSeconds`: how long further tries are refused. */
export type SignInAnswer =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly message: string; readonly waitSeconds: number };

/** Signs in with the access token. */
export async function signIn(token: string): Promise<SignInAnswer> {
  const answer = await api.POST('/api/session', { body: { token } });
  try {
    return { ok: true, session: bodyOf(answer) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const wait = Number(answer.response.headers.get('Retry-After') ?? 0);
    const waitSeconds = error.status === 429 && Number.isFinite(wait) ? wait : 0;
    return { ok: false, message: error.message, waitSeconds };
  }
}

/** Ends the session, for every tab. */
export async function signOut(): Promise<void> {
  const { response, error } = await api.DELETE('/api/session');
  // Whoever is not known any more is signed out.
  if (!response.ok && response.status !== 401) throw new ApiError(response.status, error);
}
