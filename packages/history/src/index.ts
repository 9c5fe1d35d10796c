export { type ChangeLog, createChangeLog } from './change-log.ts';
export { DECISIONS, type WhyAnswer } from './why/answer.ts';
export { createFormatter } from './why/format.ts';
export { armingAt, definitionAt, type WhyRecords } from './why/records.ts';
export { gridOf, slotBefore } from './why/slots.ts';
export { periodOf, whyAt } from './why/why.ts';
