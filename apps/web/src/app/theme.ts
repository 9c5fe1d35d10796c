import { createStoredText, useStoredText } from '../data/stored-text.ts';

export type Theme = 'system' | 'light' | 'dark';

const CHOSEN = createStoredText('svc.theme');

function themeOf(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

/** Sets the theme, for this page and later ones. */
export function chooseTheme(theme: Theme): void {
  CHOSEN.write(theme);
  applyTheme();
}

/** Applies the stored theme; without one, the system theme applies. */
export function applyTheme(): void {
  const theme = themeOf(CHOSEN.read());
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): Theme {
  return themeOf(useStoredText(CHOSEN));
}
