// A program of its own: Node reads it from its standard input and runs it as the user of the agents.
import { Socket } from 'node:net';
import { serveFiles } from './adapters/file-server.ts';

const CHANNEL = 3;

// Nothing else keeps this process alive: it ends with the channel.
serveFiles(new Socket({ fd: CHANNEL, readable: true, writable: true }), process.getuid?.() ?? -1);
