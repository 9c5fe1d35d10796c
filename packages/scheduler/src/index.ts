export type { ArmReport, ArmRequest, ArmState } from './arm-request.ts';
export { SchedulerError, type SchedulerErrorCode } from './errors.ts';
export type { Fire, MissedSlots } from './fire.ts';
export type { SchedulerOptions } from './limits.ts';
export { createScheduler, type Scheduler, type SchedulerDeps } from './scheduler.ts';
export type { ArmedTrigger, SlotClaims } from './slot-claims.ts';
