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
export { type ErrorFacts, failureLevel, messageOf, SvcError } from './errors.ts';
export { eventText } from './event-text.ts';
export {
  bearerOf,
  clientAddress,
  forwardedAddresses,
  forwardedProtocol,
  type RequestHeaders,
} from './forwarded.ts';
export { isId, newId } from './ids.ts';
export { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts';
export { daysUpTo, localDay, startOfLocalDay } from './local-day.ts';
export { type Logger, type LogLine, silentLogger } from './logger.ts';
export { isLoopbackAddress, isLoopbackName } from './loopback.ts';
export { joinPath } from './paths.ts';
export { createRedactor, type Redactor, redactingLogger } from './redaction.ts';
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
export { createSemaphore, type Semaphore } from './semaphore.ts';
export { isPlainName, kindOf, listed, printable, quoted, shownOrigin } from './shown.ts';
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
export { createTimeSlice, type TimeSlice } from './time-slice.ts';
export { isDeeperThan, isRecord, MOST_JSON_LEVELS, ownValue } from './values.ts';
