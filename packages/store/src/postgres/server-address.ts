const LENIENT = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/**
 * An address as it is handed to the driver, which takes these modes of TLS for `verify-full` and warns on the standard error
 * that a later version of it will not.
 */
export function driverAddress(url: string): string {
  return url.includes('uselibpqcompat=') ? url : url.replace(LENIENT, '$1verify-full');
}
