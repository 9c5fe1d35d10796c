import { describe, expect, it } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import type { Fault } from '../src/database/health.ts';
import { createServerWatch, type Line, type ServerWatch } from '../src/postgres/server-watch.ts';

const SILENT: Fault = { kind: 'silent', sentence: 'It says nothing.', isAway: true };
const NONE: Fault = { kind: 'no_server', sentence: 'It is not there.', isAway: true };

/** A server as its lines know it. */
interface Server {
  does: 'answer' | 'hang' | 'refuse' | 'turn away';
  /** Answers what it was asked while it hung. */
  thaw(): void;
  asked: number;
  lines: number;
  open: number;
  lookup: boolean;
}

interface Place {
  readonly clock: FakeClock;
  readonly server: Server;
  readonly watch: ServerWatch;
  /** The faults reported to subscribers, in order. */
  readonly reported: (string | null)[];
}

async function withWatch(test: (place: Place) => Promise<void>): Promise<void> {
  const clock = createFakeClock();
  const waiting: (() => void)[] = [];
  const server: Server = {
    does: 'answer',
    thaw() {
      server.does = 'answer';
      for (const go of waiting.splice(0)) go();
    },
    ...{ asked: 0, lines: 0, open: 0, lookup: false },
  };
  const openLine = (): Line => {
    server.lines += 1;
    server.open += 1;
    let isOpen = false;
    let fail = (_error: Error): void => {};
    let isEnded = false;
    const end = (): void => {
      if (!isEnded) server.open -= 1;
      isEnded = true;
      fail(new Error('cut'));
    };
    return {
      get state() {
        if (isOpen) return 'open';
        return server.lookup ? 'looking_up' : 'connecting';
      },
      async ask() {
        server.asked += 1;
        if (server.does === 'refuse') throw new Error('refused');
        if (server.does === 'turn away') throw new Error('turned away');
        if (server.does === 'hang') {
          await new Promise<void>((resolve, reject) => {
            waiting.push(resolve);
            fail = reject;
          });
        }
        isOpen = true;
      },
      close: async () => end(),
      cut: end,
    };
  };
  const faultOf = (error: unknown): Fault | null =>
    (error as Error).message === 'turned away' ? null : NONE;
  const watch = createServerWatch({ clock, openLine, faultOf, silent: SILENT });
  const reported: (string | null)[] = [];
  watch.subscribe((away) => reported.push(away?.kind ?? null));
  watch.start();
  await clock.settle();
  try {
    await test({ clock, server, watch, reported });
  } finally {
    await watch.close();
    expect([clock.pending, server.open]).toEqual([0, 0]);
  }
}

const ABOUT_3_S = 3000;

describe('a watch over a server', () => {
  // proves: nodes.hangs
  it('reports within 3 s that a server hangs, and at once that it responds again', () =>
    withWatch(async ({ clock, server, watch, reported }) => {
      await clock.advance(10_000);
      server.does = 'hang';
      await clock.advance(1900);
      expect(reported).toEqual([]);
      await clock.advance(ABOUT_3_S - 1900);
      expect([reported, watch.away]).toEqual([['silent'], SILENT]);
      await expect(watch.look()).rejects.toMatchObject({ code: 'unavailable' });
      server.thaw();
      await clock.settle();
      expect([reported, watch.away]).toEqual([['silent', null], null]);
      await watch.look();
    }));

  // proves: nodes.hangs
  it('asks a server that is looked at within 2 s, and waits for its answer no longer', () =>
    withWatch(async ({ clock, server, watch }) => {
      await clock.advance(500);
      server.does = 'hang';
      const looked = watch.look().catch((error: unknown) => error);
      await clock.advance(2000);
      expect(await looked).toMatchObject({ code: 'unavailable', message: SILENT.sentence });
    }));

  it('reports at once that a server refuses connections, and that it accepts them again', () =>
    withWatch(async ({ clock, server, watch, reported }) => {
      server.does = 'refuse';
      watch.doubted();
      await clock.settle();
      expect(reported).toEqual(['no_server']);
      await clock.advance(60_000);
      server.does = 'answer';
      await clock.advance(1000);
      expect(reported).toEqual(['no_server', null]);
    }));

  // proves: nodes.hangs
  it('holds one that answers others for busy', () =>
    withWatch(async ({ clock, server, watch, reported }) => {
      server.does = 'hang';
      for (let n = 0; n < 60; n += 1) {
        await clock.advance(900);
        watch.heard();
      }
      expect(reported).toEqual([]);
    }));

  it('does not ask one that is answering all the time', () =>
    withWatch(async ({ clock, server, watch }) => {
      const { asked } = server;
      for (let n = 0; n < 100; n += 1) {
        watch.heard();
        await clock.advance(500);
      }
      expect(server.asked).toBe(asked);
    }));

  // proves: nodes.hangs
  it('does not hold it against the server that the process itself stood still', () =>
    withWatch(async ({ clock, server, watch, reported }) => {
      server.does = 'hang';
      await clock.advance(1500);
      clock.stall(60_000);
      await clock.advance(250);
      expect(reported).toEqual([]);
      server.thaw();
      await clock.settle();
      await watch.look();
      expect(reported).toEqual([]);
    }));

  it('does not hold it against the server that its name is looked up slowly', () =>
    withWatch(async ({ clock, server, watch, reported }) => {
      server.does = 'refuse';
      watch.doubted();
      await clock.settle();
      server.does = 'hang';
      server.lookup = true;
      await clock.advance(8000);
      server.lookup = false;
      server.thaw();
      await clock.settle();
      expect([reported, server.lines]).toEqual([['no_server', null], 2]);
    }));

  it('gives up a connection that is silent for another one', () =>
    withWatch(async ({ clock, server, reported }) => {
      server.does = 'hang';
      await clock.advance(20_000);
      const { lines } = server;
      expect(lines).toBeGreaterThan(2);
      expect(server.open).toBe(1);
      server.thaw();
      await clock.advance(1000);
      expect(reported).toEqual(['silent', null]);
    }));

  it('treats a server that itself rejects the connection as available', () =>
    withWatch(async ({ clock, server, watch, reported }) => {
      server.does = 'turn away';
      watch.doubted();
      await clock.advance(10_000);
      expect([reported, watch.away]).toEqual([[], null]);
    }));
});
