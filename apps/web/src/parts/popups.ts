import { createContext, type RefObject, useContext } from 'react';

/** Where menus and dialogs are drawn: inside of `<main>`, so that all that can be read stands in a landmark. */
export const PopupPlace = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

export function usePopupPlace(): RefObject<HTMLElement | null> | undefined {
  return useContext(PopupPlace);
}
