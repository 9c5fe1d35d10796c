import {
  BUILT_IN_TOOLS,
  type CatalogTool,
  MANAGE_PREFIX,
  OPERATION_NAMES,
  type OperationName,
} from '@svc/records';
import { OPERATIONS } from './index.ts';
import { type Catalogue, catalogueOf, type OperationRow, type ToolFacts } from './operation.ts';

type Defined = typeof OPERATIONS;

/** Name of an operation. */
export type RowName = {
  [K in keyof Defined]: Defined[K] extends OperationRow<infer N, infer _> ? N : never;
}[keyof Defined];

type ResultOf<Row> = Row extends OperationRow<string, infer R> ? R : never;

/** The result of each operation, by its name. */
export type OperationResults = {
  [K in keyof Defined as Defined[K]['name']]: ResultOf<Defined[K]>;
};

/** An operation that agents and clients have as a tool. */
export type ToolRow = OperationRow & { readonly name: OperationName; readonly tool: ToolFacts };

const ALL = Object.values(OPERATIONS) as unknown as readonly OperationRow[];

/** The operations that are tools, in the order of the catalogue. */
export const TOOL_ROWS: readonly ToolRow[] = Object.freeze(
  OPERATION_NAMES.map((name) => ALL.find((row) => row.name === name) as ToolRow),
);

/** Every operation of the service: first those that are tools, in the order of their catalogue. */
export const TABLE: readonly (OperationRow & { readonly name: RowName })[] = Object.freeze([
  ...TOOL_ROWS,
  ...(ALL.filter(({ tool }) => tool === null) as (OperationRow & { readonly name: RowName })[]),
]);

/** The policies of the operations that are tools: what a scope can allow. */
export const CATALOGUE: Catalogue = catalogueOf(TOOL_ROWS);

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
