import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

const PATH_FIELDS = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'filename'];

/** Every path that an agent names for a call. */
export function callPaths(call: Fields): readonly string[] {
  const input = fieldsOf(call['rawInput']);
  // One patch may be about several files, by their paths.
  const changes = Object.keys(fieldsOf(input['changes']));
  const named = [
    ...listOf(call['locations']).map(({ path }) => path),
    ...listOf(call['content']).map(({ path }) => path),
    ...PATH_FIELDS.map((field) => input[field]),
    ...changes,
  ];
  return [...new Set(named.map(textOf).filter((path) => path !== null))];
}
