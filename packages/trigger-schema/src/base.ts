import { type Checked, invalid, joinPath, success } from '@svc/core';
import { shown } from './plain.ts';
import { readYaml, type YamlFile } from './yaml/file.ts';
import type { MapTree } from './yaml/tree.ts';

/** A parsed file, before its entries are validated. */
export interface Base {
  readonly file: YamlFile;
  /** Null for an empty file. */
  readonly root: MapTree | null;
  /** Reads another version of the file. */
  read(text: string): Checked<Base>;
}

/** Parses a text; a text that does not parse, or whose root is not a map, is refused with its faults. */
export function readBase(text: string, onRead: () => void = () => {}): Checked<Base> {
  onRead();
  const file = readYaml(text);
  if (!file.ok) return file;
  const root = rootMap(file.value);
  const read = (other: string) => readBase(other, onRead);
  return root.ok ? success({ file: file.value, root: root.value, read }) : root;
}

function rootMap(file: YamlFile): Checked<MapTree | null> {
  const { tree } = file;
  if (tree === null || (tree.kind === 'leaf' && tree.value === null)) return success(null);
  if (tree.kind === 'map') return success(tree);
  const is = shown(tree.value);
  const message = `must be a map of settings, such as "name: My project", not ${is}.`;
  return invalid({ path: '', message, ...file.position(tree.offset) });
}

/** The path of an entry in the file. */
export function entryPath(name: string): string {
  return joinPath(['triggers', name]);
}
