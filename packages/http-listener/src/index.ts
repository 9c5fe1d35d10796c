export { type Certificate, openCertificate } from './certificate.ts';
export { type CloseReason, createCloseRecorder, type OnClosed } from './close-recorder.ts';
export { ListenerError, type ListenerErrorCode } from './errors.ts';
export { HTTP_LIMITS, type HttpLimits } from './http-limits.ts';
export {
  type LimitedServer,
  openServer,
  type RequestListeners,
  type ServerAddress,
  type ServerDeps,
} from './server.ts';
export type { TlsFiles, TlsPair } from './tls-pair.ts';
