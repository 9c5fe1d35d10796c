import { createFaultFinder } from '@svc/schema';
import { SETTING_FORMATS } from './formats.ts';
import { ANNOTATIONS, SCHEMA_BY_KEY } from './setting-table.ts';

/**
 * Finds the faults of values, by the keys of their settings. In the bundle this module is replaced by the compiled schema, since
 * compiling takes longer than everything else that reads settings.
 */
export const findFaults: ReturnType<typeof createFaultFinder> = createFaultFinder(SCHEMA_BY_KEY, {
  formats: SETTING_FORMATS,
  annotations: ANNOTATIONS,
});
