export { network } from './testing/network.ts';
