export {
  createGate,
  type Gate,
  type GateOptions,
  type GateRefusal,
} from './gate.ts';
export { hostnameOf, isLocalName, isLoopbackAddress, isLoopbackHost } from './hosts.ts';
export { type GateRequest, gateRequestOf } from './request.ts';
