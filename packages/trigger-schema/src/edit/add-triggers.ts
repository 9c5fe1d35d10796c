import { type Checked, invalid, success } from '@svc/core';
import { type Base, entryPath } from '../base.ts';
import { sameValue } from '../plain.ts';
import type { MapTree } from '../yaml/tree.ts';
import { putTrigger, type WrittenTrigger } from './put-trigger.ts';
import { applySplices, lineBreak, lineStart, type Splice } from './splice.ts';

/** A trigger that a file does not have yet. */
export interface NewTrigger {
  readonly name: string;
  readonly record: WrittenTrigger;
  /** Lines that are written above it as comments, where its place allows that. Default: none. */
  readonly comment?: readonly string[];
}

/**
 * Adds entries to `triggers` in a `project.yaml`, after those that there are; every byte of the others stays.
 *
 * Refused with an issue: a name that the file has, and what `putTrigger` refuses.
 */
export function addTriggers(base: Base, added: readonly NewTrigger[]): Checked<Base> {
  let now = base;
  for (const { name, record } of added) {
    if (triggersOf(now)?.has(name) === true) {
      const message = 'is there already: choose another name.';
      return invalid({ path: entryPath(name), message });
    }
    const put = putTrigger(now, name, record);
    if (!put.ok) return put;
    now = put.value;
  }
  return success(commented(now, added, true) ?? commented(now, added, false) ?? now);
}

function triggersOf({ root }: Base): MapTree['fields'] | null {
  const tree = root?.fields.get('triggers')?.tree;
  return tree?.kind === 'map' ? tree.fields : null;
}

/** The file with comments above its entries; null where they would change what it says. */
function commented(base: Base, added: readonly NewTrigger[], hasGaps: boolean): Base | null {
  const splices = added.flatMap(({ name, comment = [] }) =>
    comment.length === 0 ? [] : spliceAbove(base, name, comment, hasGaps),
  );
  if (splices.length === 0) return base;
  const after = base.read(applySplices(base.file.text, splices));
  const isSame = after.ok && sameValue(after.value.root?.value, base.root?.value);
  return isSame ? after.value : null;
}

function spliceAbove(
  base: Base,
  name: string,
  comment: readonly string[],
  hasGaps: boolean,
): Splice[] {
  const { text } = base.file;
  const at = triggersOf(base)?.get(name)?.keyOffset;
  if (at === undefined) return [];
  const start = lineStart(text, at);
  const indent = text.slice(start, at);
  if (!/^ *$/.test(indent)) return [];
  const eol = lineBreak(text);
  const above = start === 0 ? '' : text.slice(lineStart(text, start - 1), start).trim();
  const gap = hasGaps && above !== '' && above !== 'triggers:' ? eol : '';
  const lines = comment.map((line) => `${indent}# ${printable(line)}`.trimEnd() + eol);
  return [{ start, end: start, text: gap + lines.join('') }];
}

function printable(line: string): string {
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
