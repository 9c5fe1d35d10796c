import type { SessionId, Slug, TurnId } from '@svc/records';

/** A turn that waits for capacity. */
export interface TurnTicket {
  readonly id: TurnId;
  readonly project: Slug;
  readonly sessionId: SessionId;
}

/** Queued tickets by project. */
export interface FairQueue {
  add(ticket: TurnTicket): void;
  remove(id: TurnId): boolean;
  /**
   * Takes the oldest ticket of the first project with capacity and a free session. That project moves to the end, so
   * that a busy project does not starve the others.
   */
  take(free: {
    project(project: Slug): boolean;
    session(session: SessionId): boolean;
  }): TurnTicket | null;
  readonly size: number;
}

export function createFairQueue(): FairQueue {
  const lines = new Map<Slug, TurnTicket[]>();
  let size = 0;
  const takeAt = (project: Slug, line: TurnTicket[], at: number): TurnTicket | null => {
    const [ticket] = at === -1 ? [] : line.splice(at, 1);
    if (ticket === undefined) return null;
    size -= 1;
    lines.delete(project);
    if (line.length > 0) lines.set(project, line);
    return ticket;
  };
  return {
    add(ticket) {
      const line = lines.get(ticket.project);
      if (line === undefined) lines.set(ticket.project, [ticket]);
      else line.push(ticket);
      size += 1;
    },
    remove(id) {
      for (const [project, line] of lines) {
        const at = line.findIndex((ticket) => ticket.id === id);
        if (takeAt(project, line, at) !== null) return true;
      }
      return false;
    },
    take(free) {
      for (const [project, line] of lines) {
        if (!free.project(project)) continue;
        const at = line.findIndex((ticket) => free.session(ticket.sessionId));
        const ticket = takeAt(project, line, at);
        if (ticket !== null) return ticket;
      }
      return null;
    },
    get size() {
      return size;
    },
  };
}
