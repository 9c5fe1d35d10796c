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
 * Renders an OpenAPI document as an HTML page: an index of the operations, each operation with its parameters,
 * bodies, responses, refusals and a curl command, and every schema. The anchors are the ids of operations, and
 * `schema-NAME`.
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
<p>${info.description} Version ${info.version}. The same for programs: <a href="/api/openapi.json">openapi.json</a>. <a href="/">Open the web UI</a>.</p>
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
<p>The schemas of bodies and responses.</p>
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

/** Placeholder for the address of the service, replaced for each request. */
export const ORIGIN_PLACE = '%ORIGIN%';

function introduction(): Markup {
  return html`<section aria-labelledby="requests">
<h2 id="requests">Requests</h2>
<p>The curl commands need the address of the service in a shell variable. If <code>auth.mode</code> requires sign-in, add a token to each: <code>-H "Authorization: Bearer $SVC_ACCESS_TOKEN"</code>.</p>
<pre tabindex="0"><code>export SVC=${ORIGIN_PLACE}</code></pre>
<p>Errors have a status and an <a href="#schema-Error">Error</a> body: a sentence, a code, and for <code>invalid</code> every issue.</p>
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
