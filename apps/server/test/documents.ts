import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The root folder of the repository. */
export const ROOT = new URL('../../../', import.meta.url).pathname;

/** Documents for users, relative to the repository. */
export const GUIDES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** All documents whose links are checked. */
export const DOCUMENTS: readonly string[] = [...GUIDES, 'SECURITY.md', 'CONTRIBUTING.md'];

/** A fenced block of a document. */
export interface Block {
  readonly document: string;
  /** Its first line, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The heading above it. */
  readonly heading: string;
  /** What it needs that the tests lack, from its first line; null if it is run. */
  readonly needs: string | null;
}

interface Document {
  readonly blocks: readonly Block[];
  /** The anchors in it. */
  readonly anchors: ReadonlySet<string>;
  /** Its text without fenced blocks. */
  readonly prose: string;
}

/** Reads a document. */
export function readDocument(document: string): Document {
  const blocks: Block[] = [];
  const anchors = new Set<string>();
  const prose: string[] = [];
  let heading = '';
  const lines = readFileSync(join(ROOT, document), 'utf8').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', fence, language = ''] = /^( *)(`{3,})(\w*)$/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) {
      const title = /^#+ (.*)$/.exec(lines[at] ?? '')?.[1];
      if (title !== undefined) {
        heading = title;
        anchors.add(anchorOf(title));
      }
      prose.push(lines[at] ?? '');
      continue;
    }
    const end = lines.indexOf(indent + fence, at + 1);
    if (end === -1) throw new Error(`${document}:${at + 1}: the block has no end.`);
    const text = lines
      .slice(at + 1, end)
      .map((line) => line.slice(indent.length))
      .join('\n');
    const needs = /^(?:#|\/\/) needs (.*)/.exec(text)?.[1] ?? null;
    blocks.push({ document, line: at + 1, language, text, heading, needs });
    at = end;
  }
  return { blocks, anchors, prose: prose.join('\n') };
}

// As GitHub and GitLab create them.
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');

/** A link of a document to a file of the repository. */
export interface DocumentLink {
  readonly text: string;
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly anchor: string | null;
}

/** Every link of a document into the repository. */
export function linksOf(document: string): DocumentLink[] {
  const links = [...readDocument(document).prose.matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, to = '']) => to,
  );
  return links
    .filter((to) => !/^https?:/.test(to))
    .map((text) => {
      const [path = '', anchor = null] = text.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      return { text, path: relative('.', target), anchor };
    });
}
