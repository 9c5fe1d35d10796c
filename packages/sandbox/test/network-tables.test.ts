import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createNetworkTables } from '../src/network/network-tables.ts';
import { ownAddressTest } from '../src/network/own-networks.ts';
import { network } from '../src/testing.ts';

describe('the addresses of a machine', () => {
  it.each([
    ['45.33.32.77', true],
    ['2606:4700:9::1', true],
    ['45.33.33.1', false],
    ['93.184.216.9', false],
    ['1.2.3.4', false],
    ['2620:0:1::5', false],
    ['2001:4860::8888', false],
  ])('are its interface addresses and local routes only: %s %s', async (address, own) => {
    expect((await ownAddressTest(network))(address)).toBe(own);
  });
});

describe('the network tables of this machine', () => {
  it('list its interfaces, and on Linux its routes', async () => {
    const tables = createNetworkTables();
    expect(tables.addresses()).toContain('127.0.0.1');
    const isOwn = await ownAddressTest(tables);
    expect(isOwn('127.0.0.1')).toBe(true);
    expect(isOwn('93.184.215.14')).toBe(false);
    // The whole of 127.0.0.0/8 is local by a route, while the interface has one address of it.
    expect(isOwn('127.9.9.9')).toBe(existsSync('/proc/net/fib_trie'));
  });
});
