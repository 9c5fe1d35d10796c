/** Name of the host's time zone, e.g. `Europe/Berlin`. */
export function hostZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
