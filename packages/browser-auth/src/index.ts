export {
  type AuthOptions,
  type BrowserAuth,
  type BrowserAuthDeps,
  type BrowserAuthOptions,
  createBrowserAuth,
  type SessionChange,
  type SessionView,
} from './browser-auth.ts';
export { SESSION_COOKIE } from './cookies.ts';
export {
  createGate,
  type Gate,
  type GateOptions,
  type GateRefusal,
} from './gate.ts';
export type { AuthMode } from './identity.ts';
export type { JwtOptions } from './jwt.ts';
export { createMemorySessions } from './memory-sessions.ts';
export type { Person, Role, Roles } from './person.ts';
export type { AuthRefusal } from './refusals.ts';
export { type GateRequest, gateRequestOf } from './request.ts';
export type { SessionStore, StoredSession } from './sessions.ts';
export type { TrustedHeaderOptions } from './trusted-header.ts';
