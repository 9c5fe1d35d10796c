// @ts-check
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
];

/** The library that sets the clock of one program; null if it is not installed (Debian: libfaketime). */
export const LIBRARY = LIBRARIES.find((file) => existsSync(file)) ?? null;

/** The wall clock that the service sees; agents see the real one. Times are milliseconds. */
export class MachineClock {
  /** @param {string} folder */
  constructor(folder) {
    this.file = join(folder, 'clock');
    /** @type {{ from: number, offset: number }[]} */
    this.segments = [{ from: 0, offset: 0 }];
    /** @type {number[]} */
    this.setBackAt = [];
    this.write(0);
  }

  get offset() {
    return this.segments.at(-1)?.offset ?? 0;
  }

  /** The environment of a program with this clock; its timers are not affected. */
  get env() {
    if (LIBRARY === null) return {};
    return {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Moves the clock by this much. @param {number} ms */
  step(ms) {
    if (LIBRARY === null || ms === 0) return;
    const offset = this.offset + ms;
    if (ms < 0) this.setBackAt.push(Date.now());
    this.write(offset);
    this.segments.push({ from: Date.now(), offset });
  }

  /** What this clock showed at a real time. @param {number} real */
  at(real) {
    return real + (this.segments.findLast(({ from }) => from <= real)?.offset ?? 0);
  }

  now() {
    return this.at(Date.now());
  }

  /** Whether it was set back within a minute of a period of real time. @param {number} from @param {number} until */
  wasSetBack(from, until) {
    return this.setBackAt.some((at) => at >= from - 60_000 && at <= until + 60_000);
  }

  /** @param {number} offset */
  write(offset) {
    const text = `${offset < 0 ? '-' : '+'}${(Math.abs(offset) / 1000).toFixed(3)}`;
    writeFileSync(`${this.file}.new`, text);
    renameSync(`${this.file}.new`, this.file);
  }
}
