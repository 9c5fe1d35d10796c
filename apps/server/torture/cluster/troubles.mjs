// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {import('./cluster.mjs').Cluster} Cluster
 * @typedef {import('../random.mjs').Random} Random
 */

const SECOND = 1000;
/** Longer than it takes the others to evict a server. */
const LONG = 27 * SECOND;

/** Faults of servers and their database, by name. @type {Record<string, (cluster: Cluster, random: Random) => Promise<void>>} */
export const TROUBLES = {
  /** One server is killed, and restarted before the others notice. */
  async kill(cluster, random) {
    const node = random.pick(cluster.nodes);
    await node.kill();
    await sleep(random.int(0, 3) * SECOND);
    await node.start();
  },
  /** One server is killed, and the others continue without it. */
  async 'kill-long'(cluster, random) {
    const node = random.pick(cluster.nodes);
    await node.kill();
    await sleep(LONG);
    await node.start();
  },
  /** Two of three are killed at the same time. */
  async 'kill-two'(cluster, random) {
    const left = random.pick(cluster.nodes);
    const gone = cluster.nodes.filter((node) => node !== left);
    for (const node of gone) await node.kill();
    await sleep(random.int(1, 6) * SECOND);
    await Promise.all(gone.map((node) => node.start()));
  },
  /** One server is suspended for a while, like a machine that swaps. */
  async stop(cluster, random) {
    const node = random.pick(cluster.nodes);
    node.server?.signal('SIGSTOP');
    await sleep(random.int(3, 9) * SECOND);
    node.server?.signal('SIGCONT');
  },
  /** The same for so long that the others evict it. */
  async 'stop-long'(cluster, random) {
    const node = random.pick(cluster.nodes);
    node.server?.signal('SIGSTOP');
    await sleep(LONG);
    node.server?.signal('SIGCONT');
    await startAgain(cluster, node);
  },
  /** One server cannot reach the database for a while. */
  async cut(cluster, random) {
    const node = random.pick(cluster.nodes);
    node.link.cut();
    await sleep(random.int(2, 8) * SECOND);
    node.link.restore();
  },
  /** The same for so long that the others evict it. */
  async 'cut-long'(cluster, random) {
    const node = random.pick(cluster.nodes);
    node.link.cut();
    await sleep(LONG);
    node.link.restore();
    await startAgain(cluster, node);
  },
  /** No server reaches the database. */
  async 'cut-all'(cluster, random) {
    for (const { link } of cluster.nodes) link.cut();
    await sleep(random.int(2, 20) * SECOND);
    for (const { link } of cluster.nodes) link.restore();
  },
  /** The database crashes, and returns. */
  async crash(cluster, random) {
    await cluster.postgres?.crash();
    await sleep(random.int(0, 5) * SECOND);
    await cluster.postgres?.start();
  },
  /** The servers are restarted one after the other, as for an update. */
  async roll(cluster) {
    const from = Date.now();
    for (const node of cluster.nodes) {
      node.server?.signal('SIGTERM');
      const code = await node.ended(40 * SECOND);
      if (code !== 0) cluster.broken.push(`${node.name} ended with ${code} on SIGTERM.`);
      await node.start();
    }
    cluster.rolls.push({ from, until: Date.now() });
  },
};

// It exits with 1 once it notices.
/** @param {Cluster} cluster @param {import('./nodes.mjs').Node} node */
async function startAgain(cluster, node) {
  const code = await node.ended(40 * SECOND);
  if (code !== 1) cluster.broken.push(`${node.name} was evicted and ended with ${code}.`);
  if (node.server?.endedAt === null) await node.kill();
  await node.start();
}
