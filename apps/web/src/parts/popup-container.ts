import { createContext, type RefObject, useContext } from 'react';

/** The container of menus and dialogs: they are rendered inside `<main>`, so that all content is in a landmark. */
export const PopupContainer = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

export function usePopupContainer(): RefObject<HTMLElement | null> | undefined {
  return useContext(PopupContainer);
}
