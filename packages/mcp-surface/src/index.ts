export {
  type CallableOperations,
  createOperationToolset,
  type DescribedOperation,
} from './operation-toolset.ts';
export {
  createMcpSurface,
  type McpSurface,
  type McpSurfaceDeps,
  type McpSurfaceOptions,
} from './surface.ts';
export type { McpAnswer, McpCallOptions, McpTool, McpToolset } from './toolset.ts';
