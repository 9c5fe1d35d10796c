export { type ClockDay, clockDaysOf } from './clock-days.ts';
export type { PileUp } from './pile-ups.ts';
export {
  estimatedFires,
  type SimulatedTrigger,
  type Simulation,
  type SimulationRequest,
  simulate,
} from './simulate.ts';
