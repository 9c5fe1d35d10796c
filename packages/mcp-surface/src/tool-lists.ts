import type { Frame } from './event-stream.ts';
import type { McpTool } from './toolset.ts';

/** The result of `tools/list`. */
export interface ToolList {
  readonly tools: readonly McpTool[];
}

/** Caches the serialized list for each array of tools. */
export interface ToolLists {
  /** The result for an array, always the same object for the same array. */
  resultOf(tools: readonly McpTool[]): ToolList;
  /** The complete event for a result of `resultOf`; null for any other result. */
  frameOf(result: object, id: string | number): Frame | null;
}

interface Serialised {
  /** Everything up to the id, which is the only difference between responses. */
  readonly start: Buffer;
}

/** Creates an empty cache. */
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
