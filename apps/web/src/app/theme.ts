import { createRemembered, useRemembered } from '../data/remembered.ts';

export type Theme = 'system' | 'light' | 'dark';

const CHOSEN = createRemembered('svc.theme');

function themeOf(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

/** Chooses a theme, for this page and later ones. */
export function chooseTheme(theme: Theme): void {
  CHOSEN.write(theme);
  applyTheme();
}

/** Puts the chosen theme on the page; that of the system where none was chosen. */
export function applyTheme(): void {
  const theme = themeOf(CHOSEN.read());
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): Theme {
  return themeOf(useRemembered(CHOSEN));
}
