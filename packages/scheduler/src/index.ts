export type { SyncOptions } from './arming.ts';
export type {
  ArmedTrigger,
  ArmReport,
  ArmRequest,
  ArmState,
  ClockState,
  Fire,
  MissedSlots,
  SlotClaims,
} from './contract.ts';
export { defaultCatchUpWindow } from './entry.ts';
export { SchedulerError, type SchedulerErrorCode } from './errors.ts';
export type { SchedulerOptions } from './limits.ts';
export { createScheduler, type Scheduler, type SchedulerDeps } from './scheduler.ts';
export { storedState } from './stored-state.ts';
