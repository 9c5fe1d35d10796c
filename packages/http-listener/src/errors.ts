import { SvcError } from '@svc/core';

/** `address_unusable`: the address cannot be listened on. `tls_unusable`: the certificate or its key is not valid. */
export type ListenerErrorCode = 'address_unusable' | 'tls_unusable';

/** A server cannot start. */
export class ListenerError extends SvcError<ListenerErrorCode> {}
