const PREFIX = 'svc.typed.';
const OWNER = 'svc.typedBy';

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
  sessionStorage.removeItem(OWNER);
}

/** Tells who is signed in now (null: nobody is told apart): what somebody else has typed in this tab is forgotten. */
export function ownTexts(user: string | null): void {
  const owner = JSON.stringify(user);
  if (sessionStorage.getItem(OWNER) !== owner) forgetTexts();
  try {
    sessionStorage.setItem(OWNER, owner);
  } catch {
    // There is no room: what is kept is forgotten at the next look.
  }
}
