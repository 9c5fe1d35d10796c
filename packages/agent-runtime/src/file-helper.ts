// A separate program: Node reads it from standard input and runs it as the agent user.
import { Socket } from 'node:net';
import { serveFiles } from './adapters/file-server.ts';

const CHANNEL = 3;

// Only the channel keeps this process alive, so it exits when the channel closes.
serveFiles(new Socket({ fd: CHANNEL, readable: true, writable: true }), process.getuid?.() ?? -1);
