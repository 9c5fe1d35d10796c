export {
  createGate,
  type Gate,
  type GateOptions,
  type GateRefusal,
} from './gate.ts';
export { hostnameOf, isLocalName } from './hosts.ts';
export { type GateRequest, gateRequestOf } from './request.ts';
