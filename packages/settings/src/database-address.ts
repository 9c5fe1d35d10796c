/** Whether a text is the address of a PostgreSQL database with host and database name. */
export function isPostgresAddress(text: string): boolean {
  try {
    const { protocol, host, hash, pathname, searchParams, username, password } = new URL(text);
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    const isPostgres = protocol === 'postgres:' || protocol === 'postgresql:';
    const hasHost = host !== '' || (searchParams.get('host') ?? '') !== '';
    // An unencoded character of a password would turn the rest of it into a visible name.
    return isPostgres && hasHost && hash === '' && /^\/[^/@]+$/.test(pathname);
  } catch {
    return false;
  }
}

const SECRET_PARAMETER = /pass|secret|token/i;

/** An address with its password replaced by `***`. */
export function shownAddress(url: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  for (const name of secretParameters(shown)) shown.searchParams.set(name, '***');
  return shown.href;
}

/** The parts of an address that must be kept out of logs and transcripts. */
export function secretsOfAddress(url: string): readonly string[] {
  const { password, searchParams } = new URL(url);
  const found = secretParameters({ searchParams }).flatMap((name) => searchParams.getAll(name));
  return [...new Set([decodeURIComponent(password), password, ...found])].filter(
    (secret) => secret !== '',
  );
}

function secretParameters({ searchParams }: Pick<URL, 'searchParams'>): string[] {
  return [...new Set(searchParams.keys())].filter((name) => SECRET_PARAMETER.test(name));
}
