const PREFIX = 'svc.typed.';
const OWNER = 'svc.typedBy';

/** The unsent text stored under a name in this tab; empty when there is none. */
export function readUnsentText(name: string): string {
  return sessionStorage.getItem(PREFIX + name) ?? '';
}

/** Stores unsent text across a reload and a sign-in; an empty text removes the entry. */
export function storeUnsentText(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // The storage is full: the text remains only on the page.
  }
}

/** Removes all unsent texts: the next user of this browser may be a different person. */
export function clearUnsentTexts(): void {
  const names = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at));
  for (const name of names) if (name?.startsWith(PREFIX)) sessionStorage.removeItem(name);
  sessionStorage.removeItem(OWNER);
}

/** Sets the signed-in user (null when users are not distinguished), and removes the texts of any other user of this tab. */
export function setUnsentTextOwner(user: string | null): void {
  const owner = JSON.stringify(user);
  if (sessionStorage.getItem(OWNER) !== owner) clearUnsentTexts();
  try {
    sessionStorage.setItem(OWNER, owner);
  } catch {
    // The storage is full: the texts are removed at the next check.
  }
}
