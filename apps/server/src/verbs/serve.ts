import { type Logger, messageOf } from '@svc/core';
import { drain } from '../draining.ts';
import { initHome, prepareHome } from '../home.ts';
import { createLogger } from '../log.ts';
import { createReloader } from '../management.ts';
import { type Service, startService } from '../serve.ts';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** Runs the service until the process is asked to stop. */
export async function serveVerb(context: VerbContext): Promise<ExitCode> {
  const { home, settings, env, version } = context;
  if (context.arguments.length > 0) throw new UsageError('serve takes options only.');
  const logger = createLogger(settings.log.level);
  const fresh = context.options['init'] === true && (await initHome(home));
  await prepareHome(home);
  for (const warning of context.warnings) {
    logger.warn({ file: home.config, ...warning }, 'a setting is not known');
  }
  const starting = startService({ home, settings, logger, env, version });
  reloadOnRequest(context, logger, starting);
  const service = await starting;
  if (context.options['init'] === true) greet(context, service.url, fresh);
  await context.stopRequested;
  const { drainTimeoutMs } = settings.server;
  const end = await drain(service, drainTimeoutMs, context, context.terminal).catch(
    (error: unknown) => {
      logger.error({ error: messageOf(error) }, 'stopping failed');
      throw error;
    },
  );
  return end === 'drained' ? 0 : 1;
}

// Asked for while the service starts, it is done as soon as that has started.
function reloadOnRequest(
  { home, settings: started, env, readSettings, onReload }: VerbContext,
  logger: Logger,
  starting: Promise<Service>,
): void {
  const reloader = starting.then(
    ({ management: { configure: apply } }) =>
      createReloader({ home, started, env, logger, readSettings, apply }),
    // That starting failed is told by whoever started it.
    () => null,
  );
  onReload(() => void reloader.then((reload) => reload?.()));
}

function greet(context: VerbContext, url: string, fresh: boolean): void {
  const { terminal, home } = context;
  const say = (line: string): void => terminal.error(line);
  say('');
  say(`svc is running at ${url}. Stop it with Ctrl-C.`);
  if (fresh) say(`A new home with the project "hello" was made in ${home.root}.`);
  say('');
  say('Its trigger "heartbeat" fires every 30 seconds and uses no AI. Look at it:');
  say(`  curl ${url}/api/projects/hello/triggers/runtime     when it fires next`);
  say(`  curl ${url}/api/projects/hello/runs                 what has fired, and how it ended`);
  say(
    `  curl ${url}/api/projects/hello/chats                the chats; add /<sessionId> for a transcript`,
  );
  say(`  cat ${home.projects}/hello/heartbeat.log`);
  say('');
  say(`Edit ${home.projects}/hello/project.yaml and save: the change counts within two seconds.`);
  say('');
}
