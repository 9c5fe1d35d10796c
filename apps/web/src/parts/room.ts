import { createContext, useContext, useState, useSyncExternalStore } from 'react';
import { type Column, columnsIn } from '../model/columns.ts';

/** How wide the place of the views is. */
export interface Room {
  /** px without padding; 0 before it is known. */
  readonly width: () => number;
  readonly subscribe: (listener: () => void) => () => void;
  /** Measures an element from now on; returns what ends that. */
  readonly watch: (element: HTMLElement) => () => void;
}

const NOWHERE: Room = { width: () => 0, subscribe: () => () => {}, watch: () => () => {} };

/** The room that `useHasRoom` and `useColumns` ask about. */
export const RoomContext = createContext<Room>(NOWHERE);

function createRoom(): Room {
  const listeners = new Set<() => void>();
  let known = 0;
  return {
    width: () => known,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch(element) {
      const observer = new ResizeObserver(([entry]) => {
        known = entry?.contentRect.width ?? known;
        for (const listener of listeners) listener();
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
  };
}

/** Makes the room of an element, whose `ref` is `watch`. */
export function useNewRoom(): Room {
  return useState(createRoom)[0];
}

/** Whether the place of the views is at least so many px wide. */
export function useHasRoom(px: number): boolean {
  const { width, subscribe } = useContext(RoomContext);
  return useSyncExternalStore(subscribe, () => width() >= px);
}

/** The columns that there is room for; null where a list of cards has to do. */
export function useColumns<Key extends string>(
  columns: readonly Column<Key>[],
): readonly Column<Key>[] | null {
  const { width, subscribe } = useContext(RoomContext);
  const count = useSyncExternalStore(subscribe, () => columnsIn(columns, width()).length);
  return count === 0 ? null : columnsIn(columns, width());
}
