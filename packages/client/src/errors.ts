import type { components } from './contract.ts';

type Body = components['schemas']['Error'];

/** Why the service refuses, as its answers say it; `unknown` where an answer says nothing (that of a proxy, say). */
export type ApiErrorCode = Body['code'] | 'unknown';

/** An answer that is no success; its message is the sentence that the service gave. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  readonly code: ApiErrorCode;
  /** Every fault of the input, for the code `invalid`; else empty. */
  readonly issues: NonNullable<Body['issues']>;

  constructor(status: number, body: unknown) {
    const said = typeof body === 'object' && body !== null ? (body as Partial<Body>) : {};
    super(said.error ?? `The service answered with status ${status}.`);
    this.status = status;
    this.code = said.code ?? 'unknown';
    this.issues = said.issues ?? [];
  }
}
