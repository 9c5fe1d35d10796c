import { curlLine } from './curl.ts';
import type { Answer, Content, Operation, Placed } from './document.ts';
import { html, type Markup, type Part, prose } from './markup.ts';
import { type Field, fieldList, schemaBlock } from './schema.ts';

/** One operation: address, input, response, refusals, and a curl command. */
export function operationSection(placed: Placed): Markup {
  const { method, path, operation } = placed;
  const { operationId: id, summary, parameters } = operation;
  const fields = parameters.map(
    ({ name, in: place, required, description, schema }): Field => ({
      name,
      schema,
      isRequired: required === true,
      description,
      place: `in the ${place}`,
    }),
  );
  return html`<section id="${id}" class="operation" aria-labelledby="${id}-title">
<h3 id="${id}-title"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></h3>
<p>${prose(summary)}</p>
<p class="facts"><a href="#${id}" aria-label="Link to ${id}"><code>${id}</code></a>${
    isOpen(operation) ? ' requires no sign-in' : null
  }</p>
<pre class="curl" tabindex="0"><code>${curlLine(placed)}</code></pre>
${fields.length === 0 ? null : html`<h4>Parameters</h4>${fieldList(fields)}`}
${bodiesOf('Body', operation.requestBody?.content)}
${Object.entries(operation.responses).filter(isSuccess).map(answerOf)}
${refusalsOf(operation)}
</section>
`;
}

// Addresses break at their slashes on narrow screens.
function breakable(path: string): Part {
  return path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr>${part}`));
}

function isOpen({ security }: Operation): boolean {
  return security?.length === 1 && Object.keys(security[0] ?? {}).length === 0;
}

const isSuccess = ([status]: readonly [string, Answer]): boolean => Number(status) < 400;

function answerOf([status, { description, headers = {}, content }]: readonly [
  string,
  Answer,
]): Part {
  const fields = Object.entries(headers).map(([name, header]) => ({
    ...header,
    name,
    isRequired: false,
    place: 'in the header',
  }));
  const headerList = fields.length === 0 ? null : fieldList(fields);
  if (content === undefined)
    return html`<h4>Response ${status}</h4><p>${description}</p>${headerList}`;
  return html`${bodiesOf(`Response ${status}`, content)}${headerList}`;
}

function bodiesOf(title: string, content: Readonly<Record<string, Content>> = {}): Part {
  return Object.entries(content).map(
    ([type, { schema, example }]) =>
      html`<h4>${title} <span class="media">${type}</span></h4>${schemaBlock(schema)}${
        example === undefined ? null : exampleOf(example)
      }`,
  );
}

function exampleOf(example: unknown): Markup {
  const text = JSON.stringify(example, null, 2);
  return html`<details><summary>Example</summary><pre tabindex="0"><code>${text}</code></pre></details>`;
}

function refusalsOf({ responses }: Operation): Markup {
  const refused = Object.entries(responses).filter((answer) => !isSuccess(answer));
  const codes = refused.map(([status, { description }]) => {
    const named = description.replace(/^Refused: |\.$/g, '');
    return html`<li><code>${status}</code> ${named}</li>`;
  });
  return html`<h4>Errors <span class="media"><a href="#schema-Error">Error</a></span></h4>
<ul class="refusals">${codes}</ul>`;
}
