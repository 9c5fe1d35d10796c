export {
  describeFence,
  type FenceFrame,
  type FenceSubject,
  runFenceCase,
} from './testing/fence.ts';
export type {
  FenceCall,
  FenceCase,
  FenceExpectation,
  FenceWorld,
} from './testing/fence-case.ts';
export { fenceCases } from './testing/fence-cases.ts';
export { playbookOf } from './testing/playbook-of.ts';
