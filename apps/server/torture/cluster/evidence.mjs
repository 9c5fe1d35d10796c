// @ts-check
// Reads runs and armings from the database only, not from any server.

/** @typedef {{ query(text: string): Promise<object[]> }} Database */

/** Every run, in the form that the checker uses. @param {Database} database @returns {Promise<any[]>} */
export function rowsIn(database) {
  return database.query(`select id, project, name as "trigger", cause, state, scheduled_for as "scheduledFor",
    scheduled_until as "scheduledUntil", slot_count::int as "slotCount", claimed_at as "claimedAt",
    started_at as "startedAt", ended_at as "endedAt", late_ms::int as "lateMs", outcome, reason,
    turn_id as "turnId", catch_up = 1 as "catchUp" from run order by id desc`);
}

/** Every arming of each trigger, by name, oldest first. @param {Database} database @returns {Promise<Map<string, any[]>>} */
export async function armingsIn(database) {
  const rows = /** @type {{ trigger: string, kind: string, anchor: string }[]} */ (
    await database.query(
      `select name as "trigger", kind, anchor from trigger_change where kind = 'armed' and name is not null order by seq`,
    )
  );
  const armings = new Map();
  for (const row of rows) armings.set(row.trigger, [...(armings.get(row.trigger) ?? []), row]);
  return armings;
}
