import { type Operation, type OperationPolicy, policyOf } from './operation.ts';

/** The policies of operations by their names, for packages that decide about operations and know none. */
export type Catalogue = Readonly<
  Record<
    string,
    Pick<OperationPolicy, 'effect' | 'runsCode' | 'gate'> & { readonly needs: readonly string[] }
  >
>;

/** The catalogue of these operations, in their order; one without a sound policy is not in it. */
export function catalogueOf(rows: readonly Operation[]): Catalogue {
  const entries = rows.flatMap((row) => {
    const policy = policyOf(row);
    if (policy === null) return [];
    const { effect, runsCode, gate, needs = [] } = policy;
    return [[row.name, { effect, runsCode, gate, needs }] as const];
  });
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(entries)));
}
