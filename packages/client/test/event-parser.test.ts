import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createEventParser } from '../src/event-parser.ts';

const STREAM = [
  ': changes follow\n\n',
  'id: 7\nevent: run\ndata: {"kind":"run"}\n\n',
  'data: two\r\ndata:lines\r\n\r\n',
  'id: 9\rdata\r\r',
  'id: 12\n\n',
  'id: 13\ndata: cut off',
].join('');

const EVENTS = [
  { name: 'run', data: '{"kind":"run"}' },
  { name: 'message', data: 'two\nlines' },
  { name: 'message', data: '' },
];

describe('a stream of events', () => {
  it('is parsed as the standard requires: comments and events without data are skipped, each line end counts', () => {
    const parser = createEventParser('3');
    expect(parser.lastId).toBe('3');
    expect(parser.read(STREAM)).toEqual(EVENTS);
    expect(parser.lastId).toBe('12');
  });

  it('is the same wherever it is cut', () => {
    const cuts = fc.uniqueArray(fc.nat(STREAM.length));
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...places.sort((a, b) => a - b), STREAM.length];
        const parser = createEventParser('');
        let from = 0;
        const events = ends.flatMap((end) => {
          const piece = STREAM.slice(from, end);
          from = end;
          return parser.read(piece);
        });
        expect(events).toEqual(EVENTS);
        expect(parser.lastId).toBe('12');
      }),
    );
  });
});
