import { describe, expect, it } from '@jest/globals';
import { faultOfServer } from '../src/adapters/server-faults.ts';

const PLACE = {
  host: 'db',
  port: 5432,
  database: 'svc',
  user: 'anna',
  setting: 'SVC_DATABASE_URL',
};
const asked = (error: object) => faultOfServer(error, PLACE, true)?.sentence;

describe('what is wrong with a server', () => {
  // proves: nodes.database-in-words
  it('is told with the setting that was given', () => {
    expect(asked({ code: 'ECONNREFUSED' })).toBe(
      'The database svc on db:5432 does not answer: check that its server runs, and that host and port in SVC_DATABASE_URL are right.',
    );
    expect(asked({ code: '3D000' })).toContain('or correct its name in SVC_DATABASE_URL.');
  });

  // proves: nodes.database-in-words
  it('is the password where none was given and one is asked for', () => {
    const words = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string';
    expect(asked(new Error(words))).toBe(
      'The database svc on db:5432 refuses the user anna: correct the user or the password in SVC_DATABASE_URL.',
    );
  });
});
