const SHORTEST = 6;

/** Every way of writing the given secrets that is looked for; those shorter than 6 characters are passed over. */
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
  // A half character has no such form.
  const whole = Buffer.from(secret).toString();
  const component = encodeURIComponent(whole);
  const form = new URLSearchParams([['', whole]]).toString().slice(1);
  return [component, form].flatMap((text) => [text, text.replace(/%../g, lower)]);
}

function lower(text: string): string {
  return text.toLowerCase();
}

// Within a longer text the same bytes are written in one of three ways; what depends on their neighbours is left out.
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
