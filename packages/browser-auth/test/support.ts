import {
  type AuthOptions,
  type BrowserAuth,
  type BrowserAuthOptions,
  createBrowserAuth,
  createGate,
  createMemorySessions,
  type GateRequest,
  type SessionStore,
} from '@svc/browser-auth';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import { NOW } from './issuer.ts';

/** A sign-in under test. */
export interface Bench {
  readonly auth: BrowserAuth;
  readonly clock: FakeClock;
  readonly sessions: SessionStore;
  /** Reasons of invalid credentials. */
  readonly reasons: string[];
}

export function createBench(
  options: AuthOptions,
  more: Partial<BrowserAuthOptions> & { sessions?: SessionStore; clock?: FakeClock } = {},
): Bench {
  const { clock = createFakeClock(NOW * 1000), sessions = createMemorySessions() } = more;
  const reasons: string[] = [];
  const gate = createGate({ mode: options.mode, localSecret: more.localSecret ?? null });
  const auth = createBrowserAuth(
    { gate, clock, sessions, onRefused: (_request, reason) => reasons.push(reason) },
    { ...more, auth: options },
  );
  return { auth, clock, sessions, reasons };
}

/** A request with these headers. */
export function request(headers: Record<string, string> = {}, peer = '127.0.0.1'): GateRequest {
  const rawHeaders = Object.entries(headers).flat();
  return { method: 'GET', headers, rawHeaders, remoteAddress: peer };
}

export const bearer = (token: string) => request({ authorization: `Bearer ${token}` });

/** The admitted user as `name/role`, or the status of the refusal. */
export async function outcome({ auth }: Bench, asking: GateRequest): Promise<string | number> {
  const admitted = await auth.admit(asking);
  if (!admitted.ok) return admitted.error.status;
  return `${admitted.value.name ?? ''}/${admitted.value.role}`;
}
