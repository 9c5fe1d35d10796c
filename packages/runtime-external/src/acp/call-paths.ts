import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

const PATH_FIELDS = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'filename'];

/** All paths in the fields of a call. */
export function callPaths(call: Fields): readonly string[] {
  const input = fieldsOf(call['rawInput']);
  // A patch lists its files as the keys of `changes`.
  const changes = Object.keys(fieldsOf(input['changes']));
  const named = [
    ...listOf(call['locations']).map(({ path }) => path),
    ...listOf(call['content']).map(({ path }) => path),
    ...PATH_FIELDS.map((field) => input[field]),
    ...changes,
  ];
  return [...new Set(named.map(textOf).filter((path) => path !== null))];
}
