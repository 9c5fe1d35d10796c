import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

const root = new URL('../../../', import.meta.url).pathname;

const readmeOf = (name: string): string =>
  readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');

/** The first example of a package's README. */
export const exampleOf = (name: string): string =>
  /^(`{3,})js\n([\s\S]*?)^\1/m.exec(readmeOf(name))?.[2] ?? '';

/** The packages that the README tells users to install. */
export const installedBy = (name: string): string[] =>
  (/^npm install (.*)$/m.exec(readmeOf(name))?.[1] ?? '').split(' ');

/** The packages that the commands for a clone install: packed with their dependencies, or named. */
export function packedBy(name: string): string[] {
  const [, command = '', others = ''] =
    /^npx pnpm@\S+ (.*) pack .*\nnpm install \/tmp\/svc\/\*\.tgz ?(.*)$/m.exec(readmeOf(name)) ??
    [];
  const filters = [...command.matchAll(/--filter '(@svc\/[^.']+)\.\.\.'/g)].map(
    ([, one = '']) => one,
  );
  return [...filters.flatMap(withDependencies), ...others.split(' ')];
}

function withDependencies(name: string): string[] {
  const manifest = join(root, 'packages', name.replace('@svc/', ''), 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly dependencies?: object;
  };
  const own = Object.keys(dependencies).filter((one) => one.startsWith('@svc/'));
  return [name, ...own.flatMap(withDependencies)];
}

/** The packages that an example imports. */
export function importedBy(example: string): string[] {
  const sources = [...example.matchAll(/^(?:import .*|\} )from '([^'.][^']*)';/gm)];
  const packages = sources
    .map(([, source = '']) => source)
    .filter((source) => !source.startsWith('node:'))
    .map((source) =>
      source
        .split('/')
        .slice(0, source.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(packages)];
}

/** The expected output of an example: comments after a console.log, or on lines of their own below it. */
export function printedBy(example: string): string[] {
  const lines = example.split('\n');
  const printed: string[] = [];
  let after = false;
  for (const line of lines) {
    const [, code = '', comment] = /^(.*?)(?:\/\/ (.*))?$/.exec(line) ?? [];
    const prints = /console\.log\(/.test(code) || (after && code.trim() === '');
    if (comment !== undefined && prints) printed.push(comment);
    if (code.trim() !== '') after = /console\.log\(/.test(code) || /^\);?$/.test(code.trim());
  }
  return printed;
}

/** The block of plain output below the example, if any. */
function shownBelow(name: string): string[] {
  const block = /^(`{3,})js\n[\s\S]*?^\1\n\n```\n([\s\S]*?)^```/m.exec(readmeOf(name))?.[2] ?? '';
  return block.split('\n').filter((line) => line.trim() !== '');
}

/** Every line that the README expects from its example; `…` stands for any text. */
export const linesOf = (name: string): string[] => [
  ...printedBy(exampleOf(name)),
  ...shownBelow(name),
];

/** A request in an example, and the expected answer. */
export interface Call {
  readonly args: string;
  readonly answer: string;
}

/** The calls that the output of an example lists. */
export const callsOf = (example: string): Call[] =>
  [...example.matchAll(/^\/\/ curl (.*?)\s+-> (.*)$/gm)].map(([, args = '', answer = '']) => ({
    args,
    answer,
  }));

/** The messages of an example for a management endpoint, and text that the answers contain. */
export const messagesOf = (example: string): { message: object; answer: string }[] =>
  [...example.matchAll(/^\/\/ (tools\/\w+)(?: (\w+))? -> (.*)$/gm)].map(
    ([, method, name, answer = '']) => ({
      message: { method, params: name === undefined ? {} : { name } },
      answer,
    }),
  );

/** A line of a README as a pattern, in which `…` stands for any text. */
export const pattern = (text: string): RegExp =>
  new RegExp(
    text
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

/** A text on one line. */
export const flat = (text: string): string => text.replace(/\s+/g, ' ');

/** A replacement for curl based on fetch, as not every machine has curl. */
export function curl(args: string): Promise<string> {
  const [, name = '', value = ''] = /-H '([^:]+): ([^']+)'/.exec(args) ?? [];
  const url = new URL(`http://${args.split(' ').at(-1)}`);
  return new Promise((resolve, reject) => {
    const headers = name === '' ? {} : { [name]: value };
    get(url, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });
}
