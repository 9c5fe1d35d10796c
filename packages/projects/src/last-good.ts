import type { Slug } from '@svc/records';

/** Stores the last text of each project file that parsed. */
export interface LastGood {
  /** Whether other processes save there too. Default: false. */
  readonly isShared?: boolean;
  load(slug: Slug): Promise<string | null>;
  save(slug: Slug, text: string): Promise<void>;
  forget(slug: Slug): Promise<void>;
  /** Whether changes of the file wait until a person confirms them. `forget` ends this too. */
  isHeld(slug: Slug): Promise<boolean>;
  setHeld(slug: Slug, isHeld: boolean): Promise<void>;
  /**
   * Tells other processes that this process is about to write a text, which is not that of an agent. Default: there are
   * no others.
   */
  announce?(slug: Slug, text: string): Promise<void>;
  /** Whether a process announced this text last. Default: none did. */
  isAnnounced?(slug: Slug, text: string): Promise<boolean>;
}

/** Keeps nothing when the process ends. */
export function forgetful(): LastGood {
  const held = new Set<Slug>();
  return {
    load: async () => null,
    save: async () => {},
    forget: async (slug) => void held.delete(slug),
    isHeld: async (slug) => held.has(slug),
    setHeld: async (slug, isHeld) => void (isHeld ? held.add(slug) : held.delete(slug)),
  };
}
