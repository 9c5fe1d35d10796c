import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const AGAIN_MS = 2000;

/**
 * A part of the page that is loaded when it is first shown. While it cannot be had (the service is away, say) it is asked for
 * every two seconds: a part that fails would take the whole page with it.
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const insist = async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      return insist();
    }
  };
  return lazy(insist);
}
