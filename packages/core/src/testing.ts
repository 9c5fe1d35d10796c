export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { createMemoryLogger, type MemoryLine, type MemoryLogger } from './memory-logger.ts';
