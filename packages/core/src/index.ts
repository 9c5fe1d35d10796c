export { type Clock, createSystemClock, isoTime, type TimerHandle } from './clock.ts';
export { counted } from './counted.ts';
export {
  type DiskFault,
  type DiskFaultKind,
  diskFaultOf,
  messageInWords,
  startSentenceOf,
} from './disk-fault.ts';
export { MAX_DURATION_MS, parseDuration } from './duration.ts';
export { type ErrorFacts, messageOf, SvcError, troubleLevel } from './errors.ts';
export { eventText } from './event-text.ts';
export {
  bearerOf,
  clientAddress,
  forwardedAddresses,
  forwardedProtocol,
  type RequestHeaders,
} from './forwarded.ts';
export { isId, newId } from './ids.ts';
export { createKeyedLine, type KeyedLine } from './keyed-line.ts';
export { daysUpTo, localDay, startOfLocalDay } from './local-day.ts';
export { type Logger, type LogLine, silentLogger } from './logger.ts';
export { isLoopbackAddress, isLoopbackName } from './loopback.ts';
export { createPace, type Pace } from './pace.ts';
export { joinPath } from './paths.ts';
export { createRedactor, REDACTED, type Redactor, redactingLogger } from './redaction.ts';
export {
  type Checked,
  failure,
  type Issue,
  invalid,
  type Result,
  sentenceOf,
  sentencesOf,
  success,
} from './result.ts';
export { kindOf, printable, quoted } from './shown.ts';
export {
  abridged,
  storable,
  storableValue,
  textFault,
  wellFormedValue,
  withoutOpenHalf,
} from './texts.ts';
export {
  createThrottle,
  type FailedAuthLimit,
  type Throttle,
} from './throttle.ts';
export { createTurnstile, type Turnstile } from './turnstile.ts';
export { isDeeperThan, isRecord, MOST_JSON_LEVELS } from './values.ts';
