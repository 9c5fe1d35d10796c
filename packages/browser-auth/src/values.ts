// URL.parse is younger than the oldest Node that is supported.
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

export function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
