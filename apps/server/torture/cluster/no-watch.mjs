// @ts-check
// Loaded before a server: disables file watching, as on a volume without change notifications.
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

// @ts-expect-error a partial replacement
fs.watch = () => new Silence();
syncBuiltinESMExports();
