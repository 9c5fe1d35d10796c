const PREFIX = 'svc.typed.';

/** What was typed under a name and not sent yet, in this tab; empty for nothing. */
export function keptText(name: string): string {
  return sessionStorage.getItem(PREFIX + name) ?? '';
}

/** Keeps what is typed, over a reload and a sign-in; an empty text is forgotten. */
export function keepText(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // There is no room: the text stays on the page alone.
  }
}

/** Forgets all that was typed: the next one at this browser may be somebody else. */
export function forgetTexts(): void {
  const names = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at));
  for (const name of names) if (name?.startsWith(PREFIX)) sessionStorage.removeItem(name);
}
