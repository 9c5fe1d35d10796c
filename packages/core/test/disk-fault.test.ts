import { describe, expect, it } from '@jest/globals';
import { diskFaultOf } from '@svc/core';

describe('a disk fault', () => {
  it.each([
    [{ code: 'ENOSPC' }, 'full'],
    [{ code: 'EDQUOT' }, 'full'],
    [{ code: 'ERR_SQLITE_ERROR', sqliteCodeName: 'SQLITE_FULL' }, 'full'],
    // SQLite reports an exceeded quota and a file size limit (errno 122 and 27 on Linux) as an input/output error.
    [{ sqliteCodeName: 'SQLITE_IOERR', systemErrno: 122 }, 'full'],
    [{ sqliteCodeName: 'SQLITE_IOERR', systemErrno: 27 }, 'full'],
    [{ sqliteCodeName: 'SQLITE_IOERR', systemErrno: 0 }, 'broken'],
    [{ code: 'EIO' }, 'broken'],
    [{ code: 'EROFS' }, 'read_only'],
    [{ sqliteCodeName: 'SQLITE_READONLY' }, 'read_only'],
    [{ sqliteCodeName: 'SQLITE_CANTOPEN', systemErrno: 13 }, 'forbidden'],
    [{ code: 'EACCES' }, 'forbidden'],
    [{ sqliteCodeName: 'SQLITE_CANTOPEN', systemErrno: 2 }, 'missing'],
    [{ sqliteCodeName: 'SQLITE_CORRUPT' }, 'damaged'],
    [{ code: 'ERR_SQLITE_ERROR', message: 'database disk image is malformed' }, 'damaged'],
    [{ code: 'ERR_SQLITE_ERROR', message: 'database or disk is full' }, 'full'],
    [{ code: 'EMFILE' }, 'descriptors'],
    [{ code: 'ENFILE' }, 'descriptors'],
  ])('is recognized from what was thrown: %j', (facts, kind) => {
    expect(diskFaultOf(Object.assign(new Error('no'), facts))).toEqual({
      kind,
      sentence: expect.stringMatching(/^[A-Z].*\. .*\.$/),
    });
  });

  it.each([
    new Error('no'),
    { code: 'ENOENT' },
    { code: 'toString' },
    { code: 'ERR_SQLITE_ERROR', message: 'no such table: x' },
    'ENOSPC',
    null,
    undefined,
  ])('is not recognized in any other error: %j', (thrown) =>
    expect(diskFaultOf(thrown)).toBe(null),
  );
});
