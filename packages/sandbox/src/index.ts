export { isPublicAddress } from './network/address.ts';
export { createNetworkTables } from './network/network-tables.ts';
export { type NetworkTables, ownAddressTest } from './network/own-networks.ts';
