// @ts-check
// Faults that the checker must find. They are injected between the service and its store, so that none is in the product.
import { existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * A fault; a silent one prevents agents from working.
 *
 * @typedef {import('@svc/store').Store} Store
 *
 * @typedef {{
 *   prepare?: (database: string) => void,
 *   decorate?: (store: Store) => Store,
 *   isSilent?: boolean,
 * }} Plant
 */

/** @param {string} database @param {string} text */
function execute(database, text) {
  if (!existsSync(database)) return;
  const db = new DatabaseSync(database);
  try {
    db.exec(text);
  } catch {
    // It was killed before its tables were created.
  } finally {
    db.close();
  }
}

/** @param {Store} store @param {(claim: import('@svc/records').SlotClaim) => import('@svc/records').SlotClaim} change @returns {Store} */
function withClaims(store, change) {
  const { claims } = store;
  return { ...store, claims: { ...claims, claim: (batch) => claims.claim(batch.map(change)) } };
}

/** A slot can be claimed twice, and after a start the newest ones are. @param {Store} store @returns {Store} */
function claimTwice(store) {
  const { claims } = store;
  const loaded = new Set();
  const loadProject = async (/** @type {string} */ project) => {
    const known = await claims.loadProject(project);
    if (loaded.has(project)) return known;
    loaded.add(project);
    const back = [...known].map(([id, cursor]) => {
      const [, source, name] = /** @type {[string, 'trigger', string]} */ (id.split('/'));
      const earlier = { ...cursor, cursor: Math.max(cursor.armedSince, cursor.cursor - 3000) };
      return { key: { project, source, name }, cursor: earlier, definitionHash: '' };
    });
    await claims.arm(back);
    return claims.loadProject(project);
  };
  const loadProjects = async (/** @type {readonly string[]} */ projects) => {
    const known = await claims.loadProjects(projects);
    for (const project of known.keys()) await loadProject(project);
    return claims.loadProjects(projects);
  };
  return { ...store, claims: { ...claims, loadProject, loadProjects } };
}

/** A turn that was interrupted by a kill is started again. @param {Store} store @returns {Store} */
function startAgain(store) {
  const { nodes, turns } = store;
  /** @type {Set<string>} */
  const left = new Set();
  return {
    ...store,
    nodes: { ...nodes, orphans: async () => [] },
    turns: {
      ...turns,
      async queued() {
        const again = [];
        for (const id of await nodes.orphans()) {
          const turn = await turns.get(id);
          if (turn !== null) again.push({ id, sessionId: turn.sessionId, project: turn.project });
          left.add(id);
        }
        return [...again, ...(await turns.queued())];
      },
      start: async (id, ...rest) => left.has(id) || turns.start(id, ...rest),
    },
  };
}

/** Passed slots are skipped without a row. @param {Store} store @returns {Store} */
function dropMissed(store) {
  const { claims } = store;
  return {
    ...store,
    claims: {
      ...claims,
      async claim(batch) {
        const kept = batch.filter((claim) => claim.as === 'run');
        const verdicts = [...(kept.length === 0 ? [] : await claims.claim(kept))];
        const passed = /** @type {const} */ ({ won: true, runId: 'none' });
        return batch.map((claim) => (claim.as === 'run' ? verdicts.shift() : undefined) ?? passed);
      },
    },
  };
}

/** Agents never work, and their runs succeed. @param {Store} store @returns {Store} */
function skipWork(store) {
  const { turns } = store;
  return {
    ...store,
    turns: {
      ...turns,
      async get(id) {
        const turn = await turns.get(id);
        return turn === null ? null : { ...turn, prompt: '```bash\ntrue\n```' };
      },
    },
  };
}

/** Interrupted runs are reported as succeeded. @param {Store} store @returns {Store} */
function fakeSuccess(store) {
  const { turns } = store;
  return {
    ...store,
    turns: {
      ...turns,
      end(id, ending, ...rest) {
        const outcome = ending.outcome === 'interrupted' ? 'succeeded' : ending.outcome;
        return turns.end(id, { ...ending, outcome }, ...rest);
      },
    },
  };
}

/** By name. @type {Readonly<Record<string, Plant>>} */
export const PLANTS = {
  twice: {
    prepare: (database) =>
      execute(
        database,
        'drop index run_of_trigger; create index run_of_trigger on run(project, source, name, scheduled_for)',
      ),
    decorate: claimTwice,
  },
  again: { decorate: startAgain },
  dropped: { decorate: dropMissed },
  idle: { decorate: skipWork, isSilent: true },
  optimistic: { decorate: fakeSuccess },
  miscounted: {
    decorate: (store) =>
      withClaims(store, (claim) =>
        claim.as === 'run' ? claim : { ...claim, count: claim.count + 1 },
      ),
  },
  punctual: {
    decorate: (store) =>
      withClaims(store, (claim) =>
        claim.as === 'run' ? { ...claim, lateMs: 0, catchUp: false } : claim,
      ),
  },
  forgetful: {
    prepare: (database) =>
      execute(
        database,
        `delete from run where id in (select id from run where state = 'ended' order by id desc limit 2)`,
      ),
  },
};
