// @ts-check
// On Node 20, provides an export `globSync` of `fs` for a program that imports it but does not call it here:
// node --import ./glob-sync-loader.mjs PROGRAM
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const FS = `
export * from 'node:fs';
export { default } from 'node:fs';
export function globSync() {
  throw new Error('fs.globSync needs Node 22.');
}`;
const REPLACEMENT = `data:text/javascript,${encodeURIComponent(FS)}`;

// Node loads this file again on the thread that resolves imports.
if (isMainThread) register(import.meta.url);

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  const isAsked = specifier === 'fs' || specifier === 'node:fs';
  if (isAsked && context.parentURL?.startsWith('file:')) {
    return { url: REPLACEMENT, shortCircuit: true };
  }
  return next(specifier, context);
}
