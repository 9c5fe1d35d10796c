import type { Frame } from './event-stream.ts';
import type { McpTool } from './toolset.ts';

/** The result of `tools/list`. */
export interface ToolList {
  readonly tools: readonly McpTool[];
}

/** Keeps what is made of a list of tools for as long as its array lives. */
export interface ToolLists {
  /** The result for an array, always the same object for the same array. */
  resultOf(tools: readonly McpTool[]): ToolList;
  /** The finished event that answers with a result of `resultOf`; null for any other result. */
  frameOf(result: object, id: string | number): Frame | null;
}

interface Serialised {
  /** Everything up to the id, which alone differs between answers. */
  readonly start: Buffer;
}

/** Makes an empty store. */
export function createToolLists(): ToolLists {
  const results = new WeakMap<readonly McpTool[], ToolList>();
  const texts = new WeakMap<object, Serialised>();
  return {
    resultOf(tools) {
      const known = results.get(tools);
      if (known !== undefined) return known;
      const result = { tools };
      texts.set(result, serialise(result));
      results.set(tools, result);
      return result;
    },
    frameOf(result, id) {
      const known = texts.get(result);
      if (known === undefined) return null;
      const text = `${JSON.stringify(id)}}\n\n`;
      return { start: known.start, text, bytes: known.start.length + Buffer.byteLength(text) };
    },
  };
}

function serialise(result: ToolList): Serialised {
  const head = `event: message\ndata: {"result":${JSON.stringify(result)},"jsonrpc":"2.0","id":`;
  return { start: Buffer.from(head) };
}
