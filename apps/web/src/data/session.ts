import { ApiError, bodyOf, type Schemas } from '@svc/client';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { setUnsentTextOwner } from './unsent-text.ts';

/** The session, as the service knows it. */
export type Session = Schemas['Session'];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => {
    const session = bodyOf(await api.GET('/api/session', { signal }));
    // Unsent texts of another user must not appear after a sign-in.
    if (session.signedIn) setUnsentTextOwner(session.user);
    return session;
  },
});

/** The session; undefined until it is known, and with services that do not report it. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether the session request has completed or failed; stays true afterwards. */
export function useIsSessionKnown(): boolean {
  return useQuery(sessionQuery).isFetched;
}

/** Whether requests are refused until the user signs in or gets a role. */
export function isAccessRefused(session: Session | undefined): boolean {
  return session !== undefined && (!session.signedIn || session.role === null);
}

/** Fetches the session again when a response reports a missing sign-in or role. */
export function refreshOnRefusal(queries: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError) || (error.status !== 401 && error.code !== 'not_permitted'))
    return;
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false });
}

/** The result of a sign-in. `waitSeconds`: how long further attempts are refused. */
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
  // A 401 means that the session has already ended.
  if (!response.ok && response.status !== 401) throw new ApiError(response.status, error);
}
