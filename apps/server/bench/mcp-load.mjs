// @ts-check
// Sends one request repeatedly over keep-alive sockets, as fast as answers arrive; the parent process sends the order.
import { connect } from 'node:net';

/** @param {Buffer} seen @returns {number} length of the first whole answer, 0 while there is none */
function answerLength(seen) {
  const end = seen.indexOf('\r\n\r\n');
  if (end === -1) return 0;
  const head = seen.toString('latin1', 0, end).toLowerCase();
  const length = /content-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) {
    const whole = end + 4 + Number(length);
    return seen.length >= whole ? whole : 0;
  }
  const last = seen.indexOf('0\r\n\r\n', end + 4);
  return last === -1 ? 0 : last + 5;
}

/** @param {{ port: number, request: string, connections: number, ms: number, status: number }} order */
async function load({ port, request, connections, ms, status }) {
  const bytes = Buffer.from(request);
  const until = performance.now() + ms;
  let count = 0;
  const lane = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let seen = Buffer.alloc(0);
      const next = () => (performance.now() < until ? socket.write(bytes) : socket.destroy());
      socket.on('connect', next).on('error', reject).on('close', resolve);
      socket.on('data', (chunk) => {
        seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
        const length = answerLength(seen);
        if (length === 0) return;
        if (Number(seen.toString('latin1', 9, 12)) !== status) {
          return reject(new Error(`Not ${status}: ${seen.toString('utf8', 0, 400)}`));
        }
        seen = seen.subarray(length);
        count += 1;
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, lane));
  return count;
}

process.on('message', async (order) => {
  const from = performance.now();
  const count = await load(/** @type {any} */ (order));
  process.send?.({ count, ms: performance.now() - from });
});
process.once('disconnect', () => process.exit(0));
