import { createContext, useContext, useState, useSyncExternalStore } from 'react';
import { type Column, columnsIn } from '../model/columns.ts';

/** The width available to the views. */
export interface ContainerWidth {
  /** px without padding; 0 until it is measured. */
  readonly width: () => number;
  readonly subscribe: (listener: () => void) => () => void;
  /** Measures an element from now on; returns a function that stops this. */
  readonly watch: (element: HTMLElement) => () => void;
}

const NOWHERE: ContainerWidth = {
  width: () => 0,
  subscribe: () => () => {},
  watch: () => () => {},
};

/** The container that `useHasWidth` and `useColumns` measure. */
export const ContainerWidthContext = createContext<ContainerWidth>(NOWHERE);

function createRoom(): ContainerWidth {
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

/** Creates the measurement of a container; pass `watch` as the `ref` of its element. */
export function useMeasuredWidth(): ContainerWidth {
  return useState(createRoom)[0];
}

/** Whether the container of the views is at least so many px wide. */
export function useHasWidth(px: number): boolean {
  const { width, subscribe } = useContext(ContainerWidthContext);
  return useSyncExternalStore(subscribe, () => width() >= px);
}

/** The columns that fit; null when there is only room for cards. */
export function useColumns<Key extends string>(
  columns: readonly Column<Key>[],
): readonly Column<Key>[] | null {
  const { width, subscribe } = useContext(ContainerWidthContext);
  const count = useSyncExternalStore(subscribe, () => columnsIn(columns, width()).length);
  return count === 0 ? null : columnsIn(columns, width());
}
