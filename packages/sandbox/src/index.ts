export { createSandboxHost } from './adapters/sandbox-host.ts';
export { isExecutable, systemProgram } from './adapters/system-program.ts';
export * from './hosts.ts';
export { isPublicAddress } from './network/address.ts';
export type {
  ConnectionRecord,
  ReachedHost,
  RefusedHost,
} from './network/connection-record.ts';
export {
  createNetworkPolicy,
  type NetworkDecision,
  type NetworkPolicy,
} from './network/network-policy.ts';
export { createNetworkTables } from './network/network-tables.ts';
export {
  createOutbound,
  type Outbound,
  type OutboundDeps,
  type OutboundFault,
} from './network/outbound.ts';
export { type NetworkTables, ownAddressTest } from './network/own-networks.ts';
export { createProxy, type NetworkProxy, type NetworkProxyDeps } from './network/proxy.ts';
export type {
  Sandbox,
  SandboxDeps,
  SandboxedSpawnOptions,
  SandboxHost,
  SandboxHostOptions,
  SandboxLimits,
  SandboxPort,
  SandboxReport,
  SandboxSpec,
  SandboxSupport,
  SandboxUser,
} from './sandbox.ts';
