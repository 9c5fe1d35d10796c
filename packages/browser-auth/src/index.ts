export {
  createGate,
  type Gate,
  type GateOptions,
  type GateRefusal,
  type GateRequest,
} from './gate.ts';
export { hostnameOf, isLocalName, isLoopbackAddress, isLoopbackHost } from './hosts.ts';
