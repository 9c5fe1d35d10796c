import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, type JSX, type ReactNode } from 'react';
import { safeTarget } from '../../model/inert-text.ts';
import styles from './Markdown.module.css';

// Parsing longer texts would freeze the page; no person writes deeper nesting.
const LONGEST = 32_768;
const DEEPEST = 20;

/**
 * Renders Markdown from an agent without any active content: HTML is shown as text, an image by its name, links
 * lead only to the web and to mail and show their target, and no string is parsed as HTML. `text` must already be
 * inert.
 */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const tokens = tokensOf(text);
  return tokens === null ? (
    <p className={styles['plain']}>{text}</p>
  ) : (
    <div className={styles['markdown']}>{drawn(tokens, 0)}</div>
  );
}

function tokensOf(text: string): readonly Token[] | null {
  if (text.length > LONGEST) return null;
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    // Extreme nesting overflows the stack of the lexer; the text is then shown unformatted.
    return null;
  }
}

function drawn(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, at) => (
    <Fragment key={at}>
      {depth > DEEPEST ? token.raw : drawToken(token as MarkedToken, depth)}
    </Fragment>
  ));
}

function drawToken(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{drawn(token.tokens, depth + 1)}</p>;
    case 'heading':
      // The page has its own heading levels, so headings of a text are paragraphs.
      return <p className={styles['heading']}>{drawn(token.tokens, depth + 1)}</p>;
    case 'code':
      return <pre>{token.text}</pre>;
    case 'blockquote':
      return <blockquote>{drawn(token.tokens, depth + 1)}</blockquote>;
    case 'list':
      return <List list={token} depth={depth + 1} />;
    case 'table':
      return <Table table={token} depth={depth + 1} />;
    case 'hr':
      return <hr />;
    case 'space':
      return null;
    default:
      return drawInline(token, depth);
  }
}

function drawInline(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? plain(token.text) : drawn(token.tokens, depth + 1);
    case 'strong':
      return <strong>{drawn(token.tokens, depth + 1)}</strong>;
    case 'em':
      return <em>{drawn(token.tokens, depth + 1)}</em>;
    case 'del':
      return <del>{drawn(token.tokens, depth + 1)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'escape':
      return token.text;
    case 'link':
      return <Target href={token.href} label={drawn(token.tokens, depth + 1)} said={token.text} />;
    case 'image':
      return <Target href={token.href} label={`Image: ${token.text}`} said={null} />;
    default:
      // HTML, link definitions and everything else is shown as text.
      return token.raw;
  }
}

const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => NAMED[entity] ?? entity);
}

interface TargetProps {
  readonly href: string;
  readonly label: ReactNode;
  /** The label of the link; null when it cannot be mistaken for an address. */
  readonly said: string | null;
}

function Target({ href, label, said }: TargetProps): JSX.Element {
  const target = safeTarget(href);
  if (target === null) {
    return (
      <>
        {label} <span className={styles['target']}>({href})</span>
      </>
    );
  }
  return (
    <>
      <a href={target} rel="noopener noreferrer" target="_blank">
        {label}
      </a>
      {said === target ? null : <span className={styles['target']}> ({target})</span>}
    </>
  );
}

function List({ list, depth }: { readonly list: Tokens.List; readonly depth: number }) {
  const items = list.items.map((item, at) => (
    <li key={at}>
      {item.task ? <span>{item.checked ? '☑ ' : '☐ '}</span> : null}
      {drawn(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth,
      )}
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={Number(list.start) || 1}>{items}</ol>;
}

/** Table cells of at most this many characters do not wrap. */
const LINE = 18;

function Table({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }) {
  const cells = (row: readonly Tokens.TableCell[], Cell: 'td' | 'th'): ReactNode =>
    row.map((cell, at) => (
      <Cell key={at} className={styles[cell.text.length > LINE ? 'long' : 'short']}>
        {drawn(cell.tokens, depth)}
      </Cell>
    ));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div className={styles['scroll']} tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(table.header, 'th')}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
