/** A piece of HTML. Only `html` creates one, so that its content is escaped. */
export interface Markup {
  readonly markup: string;
}

/** The content of a piece of HTML: texts are escaped, null is omitted. */
export type Part = Markup | string | number | null | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Renders a template as HTML; escapes texts for content and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const pieces = strings.map((text, index) => text + written(parts[index] ?? null));
  return { markup: pieces.join('') };
}

function written(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return part.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(written).join('');
}

/** A sentence with code between backticks. */
export function prose(text: string): Part {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** Parts with a separator. */
export function joined(parts: readonly Part[], between: Part): Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}
