// @ts-check

/** The triggers of the three servers. @param {import('../random.mjs').Random} random @returns {import('../plan.mjs').Wanted[]} */
export function planTriggers(random) {
  return Array.from({ length: 8 }, (_, project) =>
    Array.from({ length: 2 }, (_, n) => {
      const overlap = random.pick(/** @type {const} */ (['skip', 'queue', 'allow']));
      return {
        project: `project-${project}`,
        name: `t-${project}-${n}`,
        when: { interval: random.pick(['2s', '3s', '4s', '5s', '7s']) },
        ...{
          enabled: true,
          version: 1,
          overlap,
          catchUp: /** @type {const} */ ('latest'),
          window: '10m',
        },
        jitter: random.chance(0.2) ? '1s' : null,
        session:
          overlap !== 'allow' && random.chance(0.3) ? /** @type {const} */ ('resume') : 'new',
        workMs: random.pick([0, 50, 400, 1500]),
        fails: random.chance(0.1),
      };
    }),
  ).flat();
}
