import type { Command } from './command.ts';
import { alerts } from './commands/alerts.ts';
import { cancel } from './commands/cancel.ts';
import { chats } from './commands/chats.ts';
import { completion } from './commands/completion.ts';
import { confirm } from './commands/confirm.ts';
import { fire } from './commands/fire.ts';
import { importing } from './commands/import.ts';
import { logs } from './commands/logs.ts';
import { open } from './commands/open.ts';
import { pause, resume } from './commands/pause.ts';
import { preview } from './commands/preview.ts';
import { runs } from './commands/runs.ts';
import { send } from './commands/send.ts';
import { show } from './commands/show.ts';
import { simulate } from './commands/simulate.ts';
import { status } from './commands/status.ts';
import { token } from './commands/token.ts';
import { triggers } from './commands/triggers.ts';
import { validate } from './commands/validate.ts';
import { why } from './commands/why.ts';

/** The commands that need a service or project files, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[open, status, triggers, runs, show, why, chats, logs],
  ...[fire, send, cancel, confirm, pause, resume],
  ...[simulate, alerts, completion],
];

/** The commands that work on files of the home, in the order of the help. */
export const FILE_COMMANDS: readonly Command[] = [validate, importing, preview, token];
