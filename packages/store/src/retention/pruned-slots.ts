import type { TriggerKey } from '@svc/records';
import type { Transaction } from 'kysely';
import { columnsOf, ofKey } from '../claims/trigger-columns.ts';
import type { Tables } from '../database/schema.ts';

type Tx = Transaction<Tables>;

/** Whether the run of a slot was removed; `slot` is UTC ISO text. */
export async function wasPruned(tx: Tx, key: TriggerKey, slot: string): Promise<boolean> {
  const row = await ofKey(
    tx
      .selectFrom('pruned_slot')
      .select('first_slot')
      .where('first_slot', '<=', slot)
      .where('last_slot', '>=', slot)
      .limit(1),
    key,
  ).executeTakeFirst();
  return row !== undefined;
}

interface Range {
  readonly first: string;
  readonly last: string;
}

// A wrong clock leaves a gap between two ranges that must stay open, because its slots are still to come. It is among
// the widest gaps, or wide compared with what follows it; old gaps of a rare schedule may be wider.
const OPEN_GAPS = 8;

/** Records slots whose runs are removed, as few ranges; slots between joined ranges count as removed too. */
export async function rememberPruned(
  tx: Tx,
  key: TriggerKey,
  slots: readonly Range[],
): Promise<void> {
  if (slots.length === 0) return;
  const known = await ofKey(
    tx.selectFrom('pruned_slot').select(['first_slot as first', 'last_slot as last']),
    key,
  ).execute();
  const ranges = joined([...known, ...slots]);
  await ofKey(tx.deleteFrom('pruned_slot'), key).execute();
  const rows = ranges.map(({ first, last }) => ({
    ...columnsOf(key),
    first_slot: first,
    last_slot: last,
  }));
  await tx.insertInto('pruned_slot').values(rows).execute();
}

function joined(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => (a.first < b.first ? -1 : 1));
  const apart: Range[] = [];
  for (const range of sorted) {
    const before = apart.at(-1);
    if (before === undefined || range.first > before.last) apart.push(range);
    else if (range.last > before.last) apart[apart.length - 1] = { ...before, last: range.last };
  }
  const newest = Date.parse(apart.at(-1)?.last ?? '');
  const gaps = apart.slice(1).map(({ first }, i) => {
    const since = Date.parse(apart[i]?.last ?? '');
    const width = Date.parse(first) - since;
    return { i, width, share: width / (newest - since) };
  });
  const most = (by: 'width' | 'share'): number[] =>
    [...gaps]
      .sort((a, b) => b[by] - a[by])
      .slice(0, OPEN_GAPS)
      .map(({ i }) => i);
  const open = new Set([...most('width'), ...most('share')]);
  const left: Range[] = [];
  for (const [i, range] of apart.entries()) {
    const before = left.at(-1);
    if (before === undefined || open.has(i - 1)) left.push(range);
    else left[left.length - 1] = { first: before.first, last: range.last };
  }
  return left;
}
