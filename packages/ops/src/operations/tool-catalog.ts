import { BUILT_IN_TOOLS, type CatalogTool, MANAGE_PREFIX } from '@svc/records';
import { TOOL_ROWS } from './tool-rows.ts';

/** Every tool that a trigger may list, in the order in which pages show them. */
export const TOOL_CATALOG: readonly CatalogTool[] = Object.freeze([
  ...BUILT_IN_TOOLS,
  ...TOOL_ROWS.map(
    ({ name, summary, policy }): CatalogTool => ({
      name: `${MANAGE_PREFIX}${name}`,
      group: 'manage',
      description: summary,
      dangerous: policy.effect !== 'reads',
    }),
  ),
]);
