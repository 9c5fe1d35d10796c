// @ts-check Writes the types of clients, src/contract.ts of @svc/client, from the OpenAPI document of the compiled
// package. With two arguments, reads the document from the first file and writes to the second.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';

const HEADER = `// Made by packages/rest-surface/scripts/write-contract.mjs from the OpenAPI document: not to be edited by hand.

`;

const [from, to = new URL('../../client/src/contract.ts', import.meta.url)] = process.argv.slice(2);

async function ownDocument() {
  const { restDocument } = await import('../dist/openapi.js');
  return restDocument({ version: '0.0.0' });
}

const document = from === undefined ? await ownDocument() : JSON.parse(readFileSync(from, 'utf8'));
// A body may omit a field with a default.
const types = await openapiTypes(document, { defaultNonNullable: false });
writeFileSync(to, HEADER + astToString(types));
