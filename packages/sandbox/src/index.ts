export { createSandboxHost } from './adapters/sandbox-host.ts';
export { isExecutable, systemProgram } from './adapters/system-program.ts';
export { isPublicAddress } from './network/address.ts';
export { createNetworkTables } from './network/network-tables.ts';
export { type NetworkTables, ownAddressTest } from './network/own-networks.ts';
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
