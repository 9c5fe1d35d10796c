export type {
  FenceCall,
  FenceCase,
  FenceExpectation,
  FenceSubject,
  FenceWorld,
} from './fence/fence-case.ts';
export { playbookOf } from './fence/playbook-of.ts';
export { runFenceCase } from './fence/run-fence-case.ts';
export { type ScriptedEndpoint, startScriptedEndpoint } from './fence/scripted-endpoint.ts';
export { describeFence, type FenceFrame } from './testing/fence.ts';
export { type FenceSuite, fenceCases } from './testing/fence-cases.ts';
export { eventCases } from './testing/fence-event-cases.ts';
export { createBuiltInTools } from './tools/built-in.ts';
export { createTaskTool } from './tools/task.ts';
