/** Lists of hosts, without any access to the network. Runs in browsers too. */
export {
  entryText,
  type HostEntry,
  type HostList,
  type HostListFault,
  intersectHosts,
  parseHostList,
  validHosts,
  widerEntries,
} from './network/host-list.ts';
