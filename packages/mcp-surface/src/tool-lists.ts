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
  readonly head: string;
  readonly bytes: number;
  readonly encoding: 'utf8' | 'latin1';
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
      const tail = `${JSON.stringify(id)}}\n\n`;
      const isAscii = typeof id === 'number';
      return {
        text: known.head + tail,
        bytes: known.bytes + (isAscii ? tail.length : Buffer.byteLength(tail)),
        encoding: isAscii ? known.encoding : 'utf8',
      };
    },
  };
}

function serialise(result: ToolList): Serialised {
  const head = `event: message\ndata: {"result":${JSON.stringify(result)},"jsonrpc":"2.0","id":`;
  const bytes = Buffer.byteLength(head);
  return { head, bytes, encoding: bytes === head.length ? 'latin1' : 'utf8' };
}
