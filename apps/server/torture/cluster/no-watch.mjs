// @ts-check
// Loaded before a server: files are not watched, as on a volume of which the kernel tells nothing.
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

class Silence extends EventEmitter {
  close() {}
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

// @ts-expect-error less than what it stands for
fs.watch = () => new Silence();
syncBuiltinESMExports();
