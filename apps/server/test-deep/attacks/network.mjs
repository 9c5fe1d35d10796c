// @ts-check
// Attempts to reach what listens on this machine: node network.mjs RESULTS. See attack.sh for variables and results.
import { createSocket } from 'node:dgram';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const [, , results = '.'] = process.argv;
const {
  SERVICE_PORT = '',
  LISTENER_PORT = '',
  UDP_PORT = '',
  SOCKET_FILE = '',
  ABSTRACT_NAME = '',
  MACHINE = '',
  HTTP_PROXY = '',
} = process.env;
const NAMES_OF_LOOPBACK = [
  ...['127.0.0.1', 'localhost', 'LOCALHOST.', 'ip6-localhost', '127.1', '2130706433', '0x7f.1'],
  ...['0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
];
const METADATA = ['169.254.169.254', '2852039166', '[::ffff:169.254.169.254]', '[fd00:ec2::254]'];
const machine = MACHINE.split(' ').filter((name) => name !== '');
const proxyPort = HTTP_PROXY === '' ? null : Number(new URL(HTTP_PROXY).port);
const WAIT_MS = 1000;

// Calls that fire a trigger.
const RUN = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'run_trigger', arguments: { project: 'demo', name: 'victim' } },
});
const HEADERS =
  'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close';
const post = (/** @type {string} */ path, /** @type {string} */ host, body = '{}') =>
  `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${HEADERS}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const REST = '/api/projects/demo/triggers/victim/run';

/**
 * What a connection sends within a second, or the code of its error.
 *
 * @param {import('node:net').NetConnectOpts} target
 * @param {readonly (string | Buffer)[]} parts sent one after the other, each after the previous was answered
 * @returns {Promise<string>}
 */
function exchange(target, parts) {
  return new Promise((resolve) => {
    const left = [...parts];
    let text = '';
    const socket = connect(target);
    const end = (/** @type {string} */ value) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(value);
    };
    const timer = setTimeout(() => end(text === '' ? 'no answer' : text), WAIT_MS);
    const next = () => {
      const part = left.shift();
      if (part !== undefined) socket.write(part);
    };
    socket.on('connect', () => {
      text = 'connected ';
      next();
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      next();
    });
    socket.on('error', (error) => end(text + String(/** @type {any} */ (error).code)));
    socket.on('close', () => end(text));
  });
}

/** @type {Promise<void>[]} */
const attempts = [];

/**
 * @param {string} name
 * @param {Promise<string>} answer
 * @param {(text: string) => boolean} isReached
 */
function attempt(name, answer, isReached) {
  attempts.push(
    answer.then((text) => {
      appendFileSync(`${results}/network-${name}`, `${text}\n`);
      if (isReached(text)) appendFileSync(`${results}/succeeded`, `network-${name}\n`);
    }),
  );
}

const bare = (/** @type {string} */ host) => host.replace(/^\[|\]$/g, '');
const direct = (
  /** @type {string} */ host,
  /** @type {string} */ port,
  /** @type {string} */ text,
) => exchange({ host: bare(host), port: Number(port) }, [text]);
const isConnected = (/** @type {string} */ text) => text.startsWith('connected');

for (const host of ['127.0.0.1', '::1', ...machine]) {
  attempt(`rest ${host}`, direct(host, SERVICE_PORT, post(REST, '127.0.0.1')), isConnected);
  attempt(`mcp ${host}`, direct(host, SERVICE_PORT, post('/mcp', '127.0.0.1', RUN)), isConnected);
  attempt(`listener ${host}`, direct(host, LISTENER_PORT, 'direct\n'), isConnected);
}
attempt('socket file', exchange({ path: SOCKET_FILE }, ['file\n']), isConnected);
attempt('abstract socket', exchange({ path: `\0${ABSTRACT_NAME}` }, ['abstract\n']), isConnected);

/** Sends a request for a name to a server of names. @param {string} host @param {number} port @returns {Promise<string>} */
function ask(host, port) {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (/** @type {string} */ value) => {
      clearTimeout(timer);
      socket.close();
      resolve(value);
    };
    const timer = setTimeout(() => end('no answer'), WAIT_MS);
    const query = '000101000001000000000000076578616d706c65036f72670000010001';
    socket.on('message', (answer) => end(`connected ${answer.toString('hex')}`));
    socket.on('error', (error) => end(String(/** @type {any} */ (error).code)));
    socket.send(Buffer.from(query, 'hex'), port, host, (error) => {
      if (error) end(String(/** @type {any} */ (error).code));
    });
  });
}

for (const host of ['127.0.0.1', ...machine.filter((one) => /^[0-9.]+$/.test(one))]) {
  attempt(`udp ${host}`, ask(host, Number(UDP_PORT)), isConnected);
}

if (proxyPort !== null) {
  const resolvers = /^nameserver\s+(\S+)/gm;
  for (const [, host = ''] of readFileSync('/etc/resolv.conf', 'utf8').matchAll(resolvers)) {
    attempt(`dns ${host}`, ask(host, 53), isConnected);
    attempt(`dns over tcp ${host}`, direct(host, '53', '\0'), isConnected);
  }
  throughProxy(proxyPort);
  for (const host of METADATA) {
    attempt(`metadata ${host}`, direct(host, '80', 'GET / HTTP/1.0\r\n\r\n'), isConnected);
  }
}

/** @param {number} port */
function throughProxy(port) {
  const proxy = { host: '127.0.0.1', port };
  const passed = (/** @type {string} */ text) => /^connected HTTP\/1\.\d [1-3]/.test(text);
  for (const host of [...NAMES_OF_LOOPBACK, ...machine, ...METADATA]) {
    const isMetadata = METADATA.includes(host);
    for (const at of isMetadata ? ['80'] : [SERVICE_PORT, LISTENER_PORT]) {
      const tunnel = `CONNECT ${host}:${at} HTTP/1.1\r\nHost: ${host}:${at}\r\n\r\n`;
      attempt(`tunnel ${host} ${at}`, exchange(proxy, [tunnel, post(REST, host)]), passed);
      const forwarded = post(`http://${host}:${at}${REST}`, `${host}:${at}`);
      attempt(`forward ${host} ${at}`, exchange(proxy, [forwarded]), passed);
      attempt(`socks ${host} ${at}`, exchange(proxy, socks(1, bare(host), Number(at))), isGranted);
    }
  }
  attempt('socks udp', exchange(proxy, socks(3, '0.0.0.0', 0)), isGranted);
}

/** @param {number} command @param {string} host @param {number} port @returns {readonly Buffer[]} */
function socks(command, host, port) {
  const name = Buffer.from(host);
  const target = [5, command, 0, 3, name.length, ...name, port >> 8, port & 255];
  return [Buffer.from([5, 1, 0]), Buffer.from(target), Buffer.from(post(REST, host))];
}

/** @param {string} text */
function isGranted(text) {
  const bytes = Buffer.from(text.replace(/^connected /, ''), 'latin1');
  return bytes[0] === 5 && bytes[1] === 0 && bytes[2] === 5 && bytes[3] === 0;
}

await Promise.all(attempts);
writeFileSync(`${results}/network`, `${attempts.length} attempts\n`);
