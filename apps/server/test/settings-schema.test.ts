import { describe, expect, it } from '@jest/globals';
import { settingsEditorSchema } from '@svc/settings';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { GUIDES, readDocument } from './documents.ts';
import { withHome } from './harness.ts';

const check = new Ajv({ allErrors: true, strict: false }).compile(settingsEditorSchema());

describe('the schema of svc.config.yaml for editors', () => {
  // proves: settings.editor-schema
  it('is in a new home, and the file refers to it', () =>
    withHome(async (home) => {
      expect((await home.run('init')).code).toBe(0);
      expect(JSON.parse(home.read('svc.config.schema.json'))).toEqual(settingsEditorSchema());
      const [first] = home.read('svc.config.yaml').split('\n');
      expect(first).toBe('# yaml-language-server: $schema=./svc.config.schema.json');
    }));

  it('accepts every example of the documentation', () => {
    const blocks = GUIDES.flatMap((guide) => readDocument(guide).blocks);
    const files = blocks.filter(({ text }) => text.startsWith('# svc.config.yaml'));
    expect(files.length).toBeGreaterThan(5);
    for (const { text } of files) {
      for (const document of parseAllDocuments(text)) {
        check(document.toJS());
        expect(check.errors ?? []).toEqual([]);
      }
    }
  });
});
