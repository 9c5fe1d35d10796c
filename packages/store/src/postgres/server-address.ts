const LENIENT = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/**
 * The address for the driver, which treats these TLS modes as `verify-full` and prints a warning that a later version
 * will not.
 */
export function driverAddress(url: string): string {
  return url.includes('uselibpqcompat=') ? url : url.replace(LENIENT, '$1verify-full');
}
