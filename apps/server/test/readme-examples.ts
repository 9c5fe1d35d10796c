import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

const root = new URL('../../../', import.meta.url).pathname;

const readmeOf = (name: string): string =>
  readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');

/** The first example of a package's README. */
export const exampleOf = (name: string): string =>
  /^(`{3,})js\n([\s\S]*?)^\1/m.exec(readmeOf(name))?.[2] ?? '';

/** The packages that the README says to install. */
export const installedBy = (name: string): string[] =>
  (/^npm install (.*)$/m.exec(readmeOf(name))?.[1] ?? '').split(' ');

/** The packages that the commands for a clone install: those that are packed with all that they need, and others by name. */
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

/** What an example says it prints: comments behind, or on lines of their own after, a console.log. */
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

/** The block of plain output that follows the example, where there is one. */
function shownBelow(name: string): string[] {
  const block = /^(`{3,})js\n[\s\S]*?^\1\n\n```\n([\s\S]*?)^```/m.exec(readmeOf(name))?.[2] ?? '';
  return block.split('\n').filter((line) => line.trim() !== '');
}

/** Every line that the README says its example prints; `…` stands for anything. */
export const linesOf = (name: string): string[] => [
  ...printedBy(exampleOf(name)),
  ...shownBelow(name),
];

/** A request that an example names, and the answer that it promises. */
export interface Call {
  readonly args: string;
  readonly answer: string;
}

/** The calls that an example says can be made of it. */
export const callsOf = (example: string): Call[] =>
  [...example.matchAll(/^\/\/ curl (.*?)\s+-> (.*)$/gm)].map(([, args = '', answer = '']) => ({
    args,
    answer,
  }));

/** The messages that an example says a management endpoint can be sent, and what stands in the answers. */
export const messagesOf = (example: string): { message: object; answer: string }[] =>
  [...example.matchAll(/^\/\/ (tools\/\w+)(?: (\w+))? -> (.*)$/gm)].map(
    ([, method, name, answer = '']) => ({
      message: { method, params: name === undefined ? {} : { name } },
      answer,
    }),
  );

/** What a line of a README comes to. */
export const pattern = (text: string): RegExp =>
  new RegExp(
    text
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

/** A text in one line. */
export const flat = (text: string): string => text.replace(/\s+/g, ' ');

/** Node's own client in place of curl, which not every machine has. */
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
