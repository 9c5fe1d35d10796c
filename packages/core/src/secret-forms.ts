const SHORTEST = 6;

/** Every encoding of the given secrets to search for. Secrets shorter than 6 characters are ignored. */
export function secretForms(secrets: readonly string[]): string[] {
  const values = secrets.flatMap((secret) => [secret, secret.trim()]);
  const forms = values.filter(({ length }) => length >= SHORTEST).flatMap(formsOf);
  return [...new Set(forms)].filter(({ length }) => length >= SHORTEST);
}

function formsOf(secret: string): string[] {
  const json = escaped(secret);
  return [secret, json, escaped(json), ...urlForms(secret), ...base64Forms(secret)];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function urlForms(secret: string): string[] {
  // A lone surrogate cannot be URL-encoded.
  const whole = Buffer.from(secret).toString();
  const component = encodeURIComponent(whole);
  const form = new URLSearchParams([['', whole]]).toString().slice(1);
  return [component, form].flatMap((text) => [text, text.replace(/%../g, lower)]);
}

function lower(text: string): string {
  return text.toLowerCase();
}

// In base64, the same bytes have three encodings, depending on their offset. The characters that depend on adjacent
// bytes are left out.
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const from = Math.ceil((before * 8) / 6);
    const until = Math.floor(((before + bytes.length) * 8) / 6);
    const inner = text.slice(from, until);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
