import { type Checked, invalid, isRecord, success } from '@svc/core';
import { type Base, entryPath } from '../base.ts';
import { sameValue } from '../plain.ts';
import { validateTriggerName } from '../trigger-name.ts';
import type { MapTree } from '../yaml/tree.ts';
import { type Edit, makeEdit } from './apply-edit.ts';
import { type Desired, desiredOf } from './desired.ts';
import { planPut } from './plan-edit.ts';
import { putTrigger, STYLES, type WrittenTrigger } from './put-trigger.ts';
import { applySplices, lineBreak, lineStart, type Splice } from './splice.ts';
import { entryValue, onlyEntryChanged, saysWanted } from './verify.ts';

/** A trigger to add to a file. */
export interface NewTrigger {
  readonly name: string;
  readonly record: WrittenTrigger;
  /** Lines to write above it as comments, where its place allows comments. Default: none. */
  readonly comment?: readonly string[];
}

/**
 * Adds entries to `triggers` in a `project.yaml`, after the existing ones, without changing any byte of those.
 * Refuses, with an issue, a name that exists, and what `putTrigger` refuses.
 */
export function addTriggers(base: Base, added: readonly NewTrigger[]): Checked<Base> {
  const names = new Set(triggersOf(base)?.keys());
  for (const { name } of added) {
    const path = entryPath(name);
    if (names.has(name)) return invalid({ path, message: 'already exists; choose another name.' });
    names.add(name);
  }
  const put = allAtOnce(base, added);
  const now = put.ok ? put : oneByOne(base, added);
  if (!now.ok) return now;
  return success(
    commented(now.value, added, true) ?? commented(now.value, added, false) ?? now.value,
  );
}

function oneByOne(base: Base, added: readonly NewTrigger[]): Checked<Base> {
  let now = base;
  for (const { name, record } of added) {
    const put = putTrigger(now, name, record);
    if (!put.ok) return put;
    now = put.value;
  }
  return success(now);
}

/** The first entry makes a place for all others, which is much faster than reading the file for each of them. */
function allAtOnce(base: Base, [first, ...others]: readonly NewTrigger[]): Checked<Base> {
  const begun = first === undefined ? success(base) : putTrigger(base, first.name, first.record);
  const [next] = others;
  if (!begun.ok || next === undefined) return begun;
  const wanted = new Map<string, Desired>();
  for (const { name, record } of others) {
    const written: unknown = record;
    if (!validateTriggerName(name).ok || !isRecord(written)) return invalid();
    wanted.set(name, desiredOf(written));
  }
  const edit: Edit = {
    name: next.name,
    plan(editor, root) {
      for (const [name, desired] of wanted) planPut(editor, root, name, desired);
    },
    isRight: ({ root: before }, { root: after }) =>
      onlyEntryChanged(before, after, ...wanted.keys()) &&
      [...wanted].every(([name, desired]) =>
        saysWanted(undefined, entryValue(after, name), desired),
      ),
  };
  return makeEdit(begun.value, edit, STYLES);
}

function triggersOf({ root }: Base): MapTree['fields'] | null {
  const tree = root?.fields.get('triggers')?.tree;
  return tree?.kind === 'map' ? tree.fields : null;
}

/** The file with comments above its entries; null where comments would change its meaning. */
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
