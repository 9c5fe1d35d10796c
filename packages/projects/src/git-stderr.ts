const LONGEST = 300;

// Advice and echoes that do not contain the cause.
const NOISE =
  /^(?:Cloning into|Please make sure|and the repository exists|error: unable to read askpass|fatal: Could not read from remote|warning:|hint:|remote:|\s*$)/;

// The exact connection error would reveal what listens inside this network.
const UNREACHED =
  /Failed to connect|Couldn't connect|Could not resolve|Connection (?:refused|reset|timed out|closed)|No route to host|Network is unreachable|gnutls|SSL|TLS|kex_exchange|Empty reply|Recv failure|Name or service not known|Temporary failure in name/i;

/**
 * The reason that git gave, as the rest of a sentence: at most 300 characters of one line, without credentials,
 * control characters and paths of this machine (`secrets`: folders to remove wherever they appear).
 */
export function causeFrom(stderr: string, secrets: readonly string[]): string {
  if (UNREACHED.test(stderr))
    return 'its server cannot be reached or does not speak the git protocol';
  const lines = stderr.split(/[\r\n]+/).map(withoutControls);
  const informative = lines.filter((line) => !NOISE.test(line));
  const chosen = informative.length > 0 ? informative : lines.filter((line) => line.trim() !== '');
  const text = chosen.map((line) => line.replace(/^(?:fatal|error): /, '').trim()).join('; ');
  const safe = withoutPaths(withoutCredentials(text), secrets).replace(/[.;:\s]+$/, '');
  const letters = Array.from(safe);
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : safe;
}

function withoutControls(line: string): string {
  return (
    line
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of terminals begin with one
      .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
  );
}

function withoutCredentials(text: string): string {
  return text.replace(/:\/\/[^\s/'"]*@/g, '://').replace(/(:\/\/[^\s?#'"]*)[?#][^\s'"]*/g, '$1');
}

const FOLDER = '(a local path)';

function withoutPaths(text: string, secrets: readonly string[]): string {
  const named = secrets
    .filter((secret) => secret.length > 1)
    .reduce((rest, secret) => rest.replaceAll(secret, FOLDER), text);
  return named
    .replace(/(['"])\/[^'"]*\1/g, FOLDER)
    .replace(/(?<![^\s'"(=,;])\/[^\s'",;:]+/g, FOLDER)
    .replace(/(?:\(a local path\)[^\s'",;:]*)/g, FOLDER);
}
