import type { Content, Parameter, Placed } from './document.ts';

const JSON_TYPE = 'application/json';

/** A shell command that calls an operation with the values of its examples. */
export function curlLine({ method, path, operation }: Placed): string {
  const { parameters } = operation;
  const sampleOf = (name: string) => parameters.find((each) => each.name === name)?.example;
  const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => String(sampleOf(name)));
  const asked = parameters.filter((each) => each.in === 'query').flatMap(queryOf);
  const query = asked.length === 0 ? '' : `?${asked.join('&')}`;
  const isStream = Object.keys(operation.responses['200']?.content ?? {}).some((type) =>
    type.endsWith('event-stream'),
  );
  return [
    'curl',
    ...(isStream ? ['-N'] : []),
    ...(method === 'GET' ? [] : ['-X', method]),
    `"$SVC${address}${query}"`,
    ...bodyOf(operation.requestBody?.content[JSON_TYPE]),
  ].join(' ');
}

function queryOf({ name, example }: Parameter): string[] {
  return example === undefined ? [] : [`${name}=${encodeURIComponent(String(example))}`];
}

function bodyOf(content: Content | undefined): string[] {
  if (content?.example === undefined) return [];
  const text = JSON.stringify(content.example).replaceAll("'", "'\\''");
  return ['-H', `'Content-Type: ${JSON_TYPE}'`, '-d', `'${text}'`];
}
