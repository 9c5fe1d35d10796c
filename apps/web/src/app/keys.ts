import { useEffect } from 'react';
import { createStoredText, useStoredText } from '../data/stored-text.ts';

/**
 * The keyboard shortcuts. A view takes part with attributes: `data-key` on the element that a key clicks (or focuses, for
 * `/`), `data-row` on the rows that `j` and `k` step through.
 */
export const KEYS = {
  '/': 'focus the filter',
  n: 'create a trigger or a project',
  j: 'go to the next row',
  k: 'go to the previous row',
  r: 'run the selected trigger now',
  e: 'edit the selected trigger',
  '?': 'show this list',
} as const;

const STATE = createStoredText('svc.keys');

/** Enables or disables the shortcuts, for this page and later ones. */
export function switchKeys(isOn: boolean): void {
  STATE.write(isOn ? 'on' : 'off');
}

export function useKeysOn(): boolean {
  return useStoredText(STATE) !== 'off';
}

/** Handles the shortcuts while they are enabled; `?` calls `onHelp`. */
export function useKeys(onHelp: () => void): void {
  const isOn = useKeysOn();
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent): void => {
      if (isMeant(event) && press(event.key, onHelp)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, onHelp]);
}

const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="combobox"]';
const POPUPS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

function isMeant(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (target instanceof Element && target.closest(FIELDS) !== null) return false;
  return document.querySelector(POPUPS) === null;
}

/** Performs the action of a key; returns false when the key has none here. */
function press(key: string, onHelp: () => void): boolean {
  switch (key) {
    case '?':
      onHelp();
      return true;
    case '/':
      return focus(document.querySelector('main [data-key="/"], main input[type="search"]'));
    case 'n':
      return click(document.querySelector('main [data-key="n"]'));
    case 'j':
    case 'k':
      return goToRow(key === 'j' ? 1 : -1);
    case 'r':
    case 'e':
      return click(
        inRow(key) ?? document.querySelector(`main [data-key="${key}"]:not([data-row] *)`),
      );
    default:
      return false;
  }
}

function inRow(key: string): Element | null {
  return (
    document.activeElement?.closest('[data-row]')?.querySelector(`[data-key="${key}"]`) ?? null
  );
}

function goToRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll('main [data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const first = step === 1 ? 0 : rows.length - 1;
  const row = rows[at === -1 ? first : at + step];
  return focus(row?.querySelector('a[href], button:not(:disabled)') ?? null);
}

function focus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
  return true;
}

function click(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.click();
  return true;
}
