/** A piece of HTML; only `html` makes one, so that whatever stands in it is escaped. */
export interface Markup {
  readonly markup: string;
}

/** What may stand in a piece of HTML: texts are escaped, null stands for nothing. */
export type Part = Markup | string | number | null | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Makes HTML of a template, whose texts are escaped for content and for attributes in double quotes. */
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

/** A sentence, in which code stands between backticks. */
export function prose(text: string): Part {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** Parts with something between them. */
export function joined(parts: readonly Part[], between: Part): Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}
