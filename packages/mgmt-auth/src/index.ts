export type { FailedAuthLimit, RequestHeaders } from '@svc/core';
export { type AddressSet, DEFAULT_PROXIES, parseAddressSet } from './addresses.ts';
export type { BootLine } from './boot-lines.ts';
export type { ClientReport, Environment, ManagementClient, TokenReport } from './clients.ts';
export {
  inspectManagement,
  MANAGEMENT_KEYS,
  type ManagementConfig,
  type ManagementReport,
  type ParsedManagementConfig,
  parseManagementConfig,
} from './config.ts';
export {
  createManagementGate,
  type GateDeps,
  type GateVerdict,
  type ManagementGate,
  type ManagementRequest,
  type Principal,
} from './gate.ts';
export {
  type MetadataDocument,
  metadataDocument,
  metadataHeaders,
  metadataPaths,
} from './metadata.ts';
export {
  createPolicy,
  type OperationCatalogue,
  type OperationFacts,
  type Policy,
} from './policy.ts';
export type { Refusal } from './refusals.ts';
export type { Scope, ScopeResult } from './scope.ts';
export type { TokenDigest } from './tokens.ts';
