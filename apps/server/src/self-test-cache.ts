import { readFile, rename, writeFile } from 'node:fs/promises';
import type { SelfTestCache, SelfTestResult } from '@svc/agent-runtime';
import { isRecord, newId } from '@svc/core';

/** Stores successful allow-list self-tests in a file. An unreadable file counts as no result. */
export function createSelfTestCache(file: string): SelfTestCache {
  const read = async (): Promise<Record<string, unknown>> => {
    try {
      const found: unknown = JSON.parse(await readFile(file, 'utf8'));
      return isRecord(found) ? { ...found } : {};
    } catch {
      return {};
    }
  };
  return {
    async get(key) {
      return (await read())[key] === true ? { passed: true } : null;
    },
    async set(key, verdict: SelfTestResult) {
      const known = await read();
      if (verdict.passed) known[key] = true;
      else delete known[key];
      const temporary = `${file}.${newId()}.tmp`;
      await writeFile(temporary, `${JSON.stringify(known)}\n`, { mode: 0o600 });
      await rename(temporary, file);
    },
  };
}
