import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const AGAIN_MS = 2000;

/**
 * Loads a component when it is first shown. A failed load (when the service is unavailable, for example) is retried
 * every two seconds: the error would otherwise replace the whole page.
 */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const loadOrRetry = async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      return loadOrRetry();
    }
  };
  return lazy(loadOrRetry);
}
