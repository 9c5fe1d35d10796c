import type { components } from './contract.ts';

type Body = components['schemas']['Error'];

/** Error codes of the service; `unknown` if the response has none, such as that of a proxy. */
export type ApiErrorCode = Body['code'] | 'unknown';

/** An unsuccessful response; its message is the sentence of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  readonly code: ApiErrorCode;
  /** Every issue of the input, for the code `invalid`; otherwise empty. */
  readonly issues: NonNullable<Body['issues']>;
  /** For the code `not_found`: whether retention removed it, or may have. */
  readonly pruned: boolean;

  constructor(status: number, body: unknown) {
    const said = typeof body === 'object' && body !== null ? (body as Partial<Body>) : {};
    const isSentence = typeof said.error === 'string';
    super(isSentence ? said.error : `The service responded with status ${status}.`);
    this.status = status;
    this.code = said.code ?? 'unknown';
    this.issues = Array.isArray(said.issues) ? said.issues : [];
    this.pruned = said.pruned === true;
  }
}
