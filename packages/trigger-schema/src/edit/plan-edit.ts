import { SECTIONS, type Section, TOP_FIELDS } from '../fields.ts';
import type { Plain } from '../plain.ts';
import type { Field, MapTree } from '../yaml/tree.ts';
import { type Desired, expandEntry, expandSection, sameField, sameSection } from './desired.ts';
import { editList } from './edit-list.ts';
import { renderPair } from './render.ts';
import { lineStart } from './splice.ts';
import { type Editor, type MapPlace, mapPlace, placeOfTree } from './splice-editor.ts';

/** Plans the changes that give an entry of `triggers` the desired content; no splices if it has that already. */
export function planPut(
  editor: Editor,
  root: MapTree | null,
  name: string,
  desired: Desired,
): void {
  if (root === null) {
    planFirst(editor, name, desired);
    return;
  }
  const place = placeOfTree(root);
  const triggers = root.fields.get('triggers');
  if (place === null) {
    block(editor, 'the file');
    return;
  }
  if (triggers === undefined) {
    editor.insert(place, null, 'triggers', fresh(name, desired));
    return;
  }
  if (triggers.alias) {
    block(editor, 'triggers comes from an anchor elsewhere, which');
    return;
  }
  if (triggers.tree.kind === 'map' && !isEmptyFlow(editor, triggers)) {
    planEntry(editor, mapPlace(triggers), name, desired);
    return;
  }
  if (triggers.tree.kind === 'map' || triggers.tree.value === null) {
    editor.replace(place, triggers, fresh(name, desired));
    return;
  }
  editor.blocked = 'cannot be stored because triggers is not a map of entries; fix it by hand';
}

/** Plans the removal of an entry. False if it does not exist. */
export function planRemove(editor: Editor, root: MapTree | null, name: string): boolean {
  const triggers = root?.fields.get('triggers');
  const entry = triggers?.tree.kind === 'map' ? triggers.tree.fields.get(name) : undefined;
  if (triggers === undefined || entry === undefined) return false;
  const place = mapPlace(triggers);
  if (place === null || entry.pair === null) {
    block(editor, 'it comes from an anchor elsewhere, which');
  } else {
    editor.remove(place, entry);
  }
  return true;
}

function block(editor: Editor, what: string): void {
  editor.blocked ??= `cannot be changed: ${what} cannot be edited in place; edit it by hand`;
}

function fresh(name: string, desired: Desired): Plain {
  return { [name]: expandEntry(undefined, desired) };
}

/** Whether a field contains `{}` without even a comment, so that it may become a block. */
function isEmptyFlow(editor: Editor, field: Field): boolean {
  const range = field.tree.node?.range;
  const text = range ? editor.file.text.slice(range[0], range[1]) : '';
  return field.tree.kind === 'map' && field.tree.fields.size === 0 && /^\{\s*\}$/.test(text);
}

/** The first entry of an empty file. */
function planFirst(editor: Editor, name: string, desired: Desired): void {
  const { file, step, eol, style } = editor;
  const range = file.tree?.node?.range;
  if (range && range[1] > range[0]) {
    editor.splices.push({ start: range[0], end: range[1], text: '' });
  }
  const at = file.endMark ?? file.text.length;
  const layout = { indent: '', step, eol, style: style.text };
  // Without the blank line the comments would seem to belong to the next line.
  const before = file.text.slice(lineStart(file.text, Math.max(at - 1, 0)), at);
  const gap = before.trimStart().startsWith('#') ? eol : '';
  editor.splices.push({
    start: at,
    end: at,
    text: gap + renderPair('triggers', fresh(name, desired), layout),
  });
}

function planEntry(editor: Editor, place: MapPlace | null, name: string, desired: Desired): void {
  if (place === null) {
    block(editor, 'triggers');
    return;
  }
  const field = place.tree.fields.get(name);
  if (field === undefined) {
    editor.insert(place, null, name, expandEntry(undefined, desired));
    return;
  }
  if (saysAll(field, desired)) return;
  const entry = mapPlace(field);
  if (field.pair === null) {
    editor.insert(place, null, name, expandEntry(field.tree.value, desired));
    return;
  }
  if (entry === null) {
    editor.replace(place, field, expandEntry(field.tree.value, desired));
    return;
  }
  for (const top of TOP_FIELDS) planTop(editor, entry, top, desired);
}

function saysAll(field: Field, desired: Desired): boolean {
  const { tree } = field;
  if (tree.kind !== 'map') return false;
  return TOP_FIELDS.every((top) => {
    const stands = tree.fields.get(top)?.tree.value;
    return top === 'enabled'
      ? sameField(null, top, stands, desired.enabled)
      : sameSection(top, stands, desired[top]);
  });
}

function planTop(
  editor: Editor,
  entry: MapPlace,
  top: (typeof TOP_FIELDS)[number],
  desired: Desired,
): void {
  if (top === 'enabled') {
    planField(editor, entry, null, top, desired.enabled);
    return;
  }
  const field = entry.tree.fields.get(top);
  if (sameSection(top, field?.tree.value, desired[top])) return;
  const section = mapPlace(field);
  const wanted = expandSection(field?.tree.value, desired, top);
  if (section === null || field?.pair === null || wanted === undefined) {
    planWhole(editor, entry, TOP_FIELDS, top, wanted);
    return;
  }
  for (const key of SECTIONS[top]) planField(editor, section, top, key, desired[top]?.[key]);
}

function planField(
  editor: Editor,
  place: MapPlace,
  section: Section | null,
  key: string,
  wanted: unknown,
): void {
  const field = place.tree.fields.get(key);
  if (sameField(section, key, field?.tree.value, wanted)) return;
  const order = section === null ? TOP_FIELDS : SECTIONS[section];
  if (field?.pair && Array.isArray(wanted) && editList(editor, field, wanted)) return;
  planWhole(editor, place, order, key, wanted);
}

/** Writes, replaces or removes one field with its whole value. */
function planWhole(
  editor: Editor,
  place: MapPlace,
  order: readonly string[],
  key: string,
  wanted: unknown,
): void {
  const field = place.tree.fields.get(key);
  const merged = place.tree.merged.get(key);
  if (wanted === undefined && merged === undefined) {
    if (field !== undefined) editor.remove(place, field);
    return;
  }
  // A field from a merge key can only be overridden: null is the same as absent.
  const value = wanted ?? null;
  if (field?.pair) editor.replace(place, field, value);
  else editor.insert(place, predecessor(place, order, key), key, value);
}

/** The last field of the map itself that comes before a key in the order of writing. */
function predecessor(place: MapPlace, order: readonly string[], key: string): Field | null {
  const before = order.slice(0, order.indexOf(key));
  for (const name of before.reverse()) {
    const field = place.tree.fields.get(name);
    if (field?.pair) return field;
  }
  return null;
}
