// Opens a database and stays, having said that it is about to rewrite it.
import { writeSync } from 'node:fs';
import { createSystemClock } from '@svc/core';
import { openStore } from '@svc/store';

setInterval(() => {}, 1000);
const said = () => writeSync(1, 'begun');
const logger = { info: said, warn() {}, error() {}, debug() {} };
await openStore({ clock: createSystemClock(), logger }, { file: process.argv[2], version: '1' });
