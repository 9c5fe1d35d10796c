// Ports inside a sandbox, outside the range that systems choose free ports from.
/** The port of the proxy. */
export const PROXY_PORT = 31_280;
/** The port of what the service itself offers to the agent of a turn. */
export const SERVICE_PORT = 31_281;

const HOST = '127.0.0.1';
const URL = `http://${HOST}:${PROXY_PORT}`;
// Names are resolved by the proxy (`socks5h`), because a sandbox has no resolver.
const SOCKS_URL = `socks5h://${HOST}:${PROXY_PORT}`;
const LOCAL = 'localhost,127.0.0.1,::1';
// Joins the standard streams with a tunnel. Without quotes, dollar or percent signs, because ssh and a shell read it first.
const TUNNEL = [
  'const [target] = process.argv.slice(1);',
  `const request = require(/http/.source).request({ port: ${PROXY_PORT}, method: /CONNECT/.source, path: target });`,
  'request.on(/connect/.source, (answer, socket, head) => {',
  'if (answer.statusCode !== 200) { process.exitCode = 1; process.stderr.write(head); socket.pipe(process.stderr); return; }',
  'process.stdout.write(head); socket.pipe(process.stdout); process.stdin.pipe(socket); });',
  'request.on(/error/.source, (error) => { console.error(error.message); process.exit(1); });',
  'request.end();',
].join(' ');

/**
 * Variables that lead programs to the proxy of their sandbox.
 *
 * @param node Absolute path of Node in the sandbox, for git over ssh.
 */
export function proxyVariables(node: string): Readonly<Record<string, string>> {
  const both = { HTTP_PROXY: URL, HTTPS_PROXY: URL, ALL_PROXY: SOCKS_URL, NO_PROXY: LOCAL };
  const lower = Object.entries(both).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...both,
    ...Object.fromEntries(lower),
    // From Node 24, fetch and http use the proxy.
    NODE_USE_ENV_PROXY: '1',
    GIT_SSH_COMMAND: `ssh -o 'ProxyCommand="${node}" -e "${TUNNEL}" %h:%p'`,
  };
}
