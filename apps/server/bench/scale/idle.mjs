// @ts-check
// CPU time of the service with nothing armed.
import { makeHome, print, removeHome } from '../support.mjs';
import { cpuSeconds, memoryMb, serve, sleep } from './process.mjs';

/** @param {boolean} isSmall */
export async function measureIdle(isSmall) {
  const home = makeHome({ 'projects/demo/project.yaml': 'name: Demo\n' });
  const server = await serve(home);
  await sleep(10_000);
  const seconds = isSmall ? 20 : 60;
  const before = cpuSeconds(server.pid);
  await sleep(seconds * 1000);
  const used = cpuSeconds(server.pid) - before;
  print(
    `nothing armed: ${((used * 60) / seconds).toFixed(2)} s of the processor a minute, RSS ${memoryMb(server.pid).toFixed(0)} MB`,
  );
  await server.stop();
  removeHome(home);
}
