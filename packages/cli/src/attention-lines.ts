import type { Schemas } from '@svc/client';

type Attention = Schemas['Status']['attention'];
type AttentionItem = Attention['entries'][number];

const MAX_SHOWN = 10;

/** Kinds of attention as text after the name of a trigger or file. */
const ATTENTION_WORDS: Readonly<Record<AttentionItem['kind'], string>> = {
  unreadable: 'cannot be read',
  unconfirmed: 'must be confirmed',
  invalid: 'invalid',
  failing: 'failing',
  paused: 'paused',
  not_armed: 'not armed',
  unready: 'will fail',
  limited: 'daily limit reached',
};

// A server of another version may have other kinds.
const wordsOf = (kind: AttentionItem['kind']): string =>
  Object.hasOwn(ATTENTION_WORDS, kind) ? ATTENTION_WORDS[kind] : kind;

/** What needs attention, one line for each trigger or file; empty if nothing does. */
export function attentionLines({ total, entries }: Attention): string[] {
  if (total === 0) return [];
  const byName = new Map<string, AttentionItem[]>();
  for (const one of entries) {
    const name = `${one.project}/${one.name}`;
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  const shown = [...byName].slice(0, MAX_SHOWN);
  const left = total - shown.reduce((sum, [, items]) => sum + items.length, 0);
  return [
    'Needs attention:',
    ...shown.map(([name, items]) => {
      const kinds = items.map(({ kind }) => wordsOf(kind)).join(', ');
      return `  ${name}: ${kinds}. ${items.map(({ reason }) => reason).join(' ')}`;
    }),
    ...(left > 0 ? [`  and ${left} more: run svc triggers`] : []),
  ];
}
