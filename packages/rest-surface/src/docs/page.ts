import { type OpenApi, type Placed, placedIn } from './document.ts';
import { html, type Markup } from './markup.ts';
import { operationSection } from './operation.ts';
import { STYLE_PATH } from './paths.ts';
import { anchorOf, schemaBlock } from './schema.ts';

interface Group {
  readonly tag: OpenApi['tags'][number];
  readonly placed: readonly Placed[];
}

/**
 * Makes an HTML page of an OpenAPI document: an index of the operations, each of them with its parameters, bodies, answers,
 * refusals and a line for curl, and every schema. Its anchors are the ids of operations, and `schema-NAME`.
 */
export function docsPage(document: OpenApi): string {
  const { info, tags, components } = document;
  const groups = tags.map((tag) => ({ tag, placed: placedIn(document, tag.name) }));
  const schemas = Object.entries(components.schemas);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg">
<title>REST interface of ${info.title}</title>
<link rel="stylesheet" href="/api${STYLE_PATH}">
</head>
<body>
<a class="skip" href="#main">Skip to the operations</a>
<header>
<h1>REST interface of ${info.title}</h1>
<p>${info.description} Version ${info.version}. Programs read the same in <a href="/api/openapi.json">openapi.json</a>; <a href="/">to the page</a>.</p>
</header>
<nav aria-label="Operations">
${groups.map(indexOf)}
<h2><a href="#schemas">schemas</a></h2>
</nav>
<main id="main">
${introduction()}
${groups.map(groupSection)}
<section id="schemas" aria-labelledby="schemas-title">
<h2 id="schemas-title">schemas</h2>
<p>What bodies and answers are made of.</p>
${schemas.map(
  ([name, schema]) => html`<section id="${anchorOf(name)}" class="schema">
<h3>${name}</h3>
${schemaBlock(schema)}
</section>
`,
)}
</section>
</main>
</body>
</html>
`;
  return page.markup;
}

/** Stands for where the service is; whoever serves the page puts in its place where it was asked. */
export const ORIGIN_PLACE = '%ORIGIN%';

function introduction(): Markup {
  return html`<section aria-labelledby="asking">
<h2 id="asking">Asking</h2>
<p>The lines for curl want the address of the service in a variable of the shell. Where <code>auth.mode</code> asks who is there, add the token of a caller to each: <code>-H "Authorization: Bearer $SVC_ACCESS_TOKEN"</code>.</p>
<pre tabindex="0"><code>export SVC=${ORIGIN_PLACE}</code></pre>
<p>Whatever is refused is answered with a status and an <a href="#schema-Error">Error</a>: a sentence, a code, and for <code>invalid</code> every fault.</p>
</section>`;
}

function indexOf({ tag, placed }: Group): Markup {
  return html`<h2><a href="#tag-${tag.name}">${tag.name}</a></h2>
<ul>${placed.map(
    ({ method, path, operation: { operationId: id, summary } }) =>
      html`<li><a href="#${id}" title="${method} ${path}: ${summary}">${id}</a></li>
`,
  )}</ul>
`;
}

function groupSection({ tag, placed }: Group): Markup {
  return html`<section id="tag-${tag.name}" aria-labelledby="tag-${tag.name}-title">
<h2 id="tag-${tag.name}-title">${tag.name}</h2>
<p>${tag.description}</p>
${placed.map(operationSection)}
</section>
`;
}
