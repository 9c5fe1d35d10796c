import type { Issue, Logger } from '@svc/core';
import type { Slug } from '@svc/records';
import type { LastGood } from './last-good.ts';

/** The fault of a file that a person must confirm. */
export const UNCONFIRMED: Issue = {
  path: '',
  message:
    'was replaced while an agent could change it, so the change may come from the agent. Check and confirm the change, for example with svc confirm, or restore the earlier file.',
};

interface ConfirmedCheckDeps {
  /** The text that is in effect; null if there is none. */
  goodText(slug: Slug): Promise<string | null>;
  readonly logger: Logger;
  readonly lastGood: LastGood;
  readonly isTrusted: IsTrusted;
}

/** Whether a text of `project.yaml` certainly does not come from an agent. */
export type IsTrusted = (slug: Slug, text: string) => Promise<boolean>;

/** Creates the check whether a text that parses may take effect. Remembers a text that may not. */
export function createConfirmedCheck({
  logger,
  lastGood,
  isTrusted,
  goodText,
}: ConfirmedCheckDeps): IsTrusted {
  // Once a change may come from an agent, later ones may contain it.
  return async (slug, text) => {
    if (await lastGood.isHeld(slug)) {
      const isRestored = (await goodText(slug)) === text;
      if (isRestored) await lastGood.setHeld(slug, false);
      return isRestored;
    }
    if (await lastGood.isAnnounced?.(slug, text)) return true;
    if (await isTrusted(slug, text)) return true;
    if ((await goodText(slug)) === text) return true;
    logger.warn({ project: slug }, 'project.yaml may have been changed by an agent');
    await lastGood.setHeld(slug, true);
    return false;
  };
}
