import { createBashTool } from './bash.ts';
import { createEditTool } from './edit.ts';
import { createGlobTool } from './glob.ts';
import { createGrepTool } from './grep.ts';
import { createNotebookEditTool } from './notebook-edit.ts';
import { createReadTool } from './read.ts';
import type { Tool } from './tool.ts';
import { createWebFetchTool } from './web-fetch.ts';
import { createWriteTool } from './write.ts';

/** Creates the built-in tools except `Task`, by name. */
export function createBuiltInTools(): ReadonlyMap<string, Tool> {
  const tools = [
    createReadTool(),
    createGlobTool(),
    createGrepTool(),
    createEditTool(),
    createWriteTool(),
    createNotebookEditTool(),
    createBashTool(),
    createWebFetchTool(),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
