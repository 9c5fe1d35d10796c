import { EVENTS, PERMISSION_MODES, TRIGGER_TYPES } from '@svc/records';
import { costPerDaySchema } from './cost-per-day.schema.ts';
import type { Fields } from './field-row.ts';

const DAY_MS = 86_400_000;
const MAX_TURNS = 30;

/** The forms of a condition, each with its type. */
export const CONDITION_FORMS = {
  cron: 'schedule',
  interval: 'schedule',
  event: 'event',
  webhook: 'webhook',
} as const;

/** The fields of `trigger`: when it fires. */
export const conditionFields = {
  type: {
    schema: { enum: TRIGGER_TYPES },
    required: true,
    argument: {
      name: 'type',
      schema: {
        description:
          'Leave it out to keep that of an existing trigger, or to let cron, interval or event decide. webhook is reserved and never fires.',
      },
    },
    flat: { name: 'type' },
  },
  cron: {
    schema: {
      type: 'string',
      description: 'Cron expression of five fields, or `@daily` or `@hourly`.',
    },
    neededIn: ['cron'],
    argument: {
      name: 'cron',
      schema: {
        maxLength: 256,
        description:
          'Schedule: five-field cron expression (minute hour day month weekday), or @daily or @hourly, in the time zone of the host unless timezone is given. Example: "0 3 * * 1-5".',
      },
    },
    flat: { name: 'cron' },
  },
  interval: {
    schema: { type: 'string', description: 'Duration such as `30m`, `1h` or `1 day`.' },
    neededIn: ['interval'],
    argument: {
      name: 'interval',
      schema: {
        maxLength: 64,
        description: 'Schedule: one number and one unit of s, m, h, d, w. Example: "30m".',
      },
    },
    flat: { name: 'interval' },
  },
  timezone: {
    schema: { type: 'string', description: 'IANA time zone of a cron expression.' },
    allowedIn: ['cron'],
    argument: {
      name: 'timezone',
      schema: {
        maxLength: 64,
        description: 'IANA time zone of the cron expression, for example Europe/Berlin.',
      },
    },
    flat: { name: 'timezone' },
  },
  on: {
    schema: { enum: EVENTS },
    neededIn: ['event'],
    argument: {
      name: 'event',
      schema: {
        description:
          'Event: onArchive is raised when a chat is archived; afterTurn is reserved for the curator that runs after user turns, of which only the first in the file runs.',
      },
    },
    flat: { name: 'event', before: 'timezone' },
  },
} as const satisfies Fields;

/** The fields of `run`: what a fire runs. */
export const runFields = {
  prompt: {
    schema: { type: 'string', description: 'The prompt of the agent.' },
    blankIsAbsent: true,
    argument: {
      name: 'prompt',
      schema: {
        maxLength: 262_144,
        description: 'Instruction for each run. Give this or prompt_file.',
      },
    },
    flat: { name: 'prompt' },
  },
  promptFile: {
    schema: { type: 'string', description: 'Markdown file with the prompt, read for each run.' },
    blankIsAbsent: true,
    argument: {
      name: 'prompt_file',
      schema: {
        maxLength: 1024,
        description:
          "Name of a .md file below the project's .svc/triggers/ folder, read for each run. Give this or prompt.",
      },
    },
    flat: { name: 'promptFile' },
  },
  session: {
    schema: {
      enum: ['new', 'resume'],
      description: 'new: a new chat for each run. resume: one chat for all runs.',
    },
    default: 'new',
    argument: {
      name: 'session',
      schema: {
        description:
          'new (default): a new chat for each run. resume: one chat that continues with its history.',
      },
    },
    flat: { name: 'session' },
  },
  tools: {
    schema: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 200,
      description: 'Tools of the agent. Empty: the keeper on a schedule, no tools on an event.',
    },
    default: [],
    argument: {
      name: 'tools',
      schema: {
        type: ['string', 'array'],
        description:
          'Tools of the agent, as an array, a JSON array in a string, or a list separated by commas or line breaks: Read, Glob, Grep, Edit, Write, NotebookEdit, Bash, WebFetch, WebSearch, Task, mcp__svc_manage__<tool>. Empty: the keeper with all its tools on a schedule, no tools on an event.',
      },
    },
    flat: { name: 'tools' },
  },
  model: {
    schema: { type: 'string', minLength: 1, maxLength: 200, description: 'Model of the turns.' },
    argument: { name: 'model', schema: { description: "Default: the keeper's model." } },
    flat: { name: 'model' },
  },
  permissionMode: {
    schema: { enum: PERMISSION_MODES },
    argument: {
      name: 'permission_mode',
      schema: {
        description: 'plan only reads; the others run every listed tool without asking.',
      },
    },
    flat: { name: 'permissionMode' },
    editor: { description: 'Permission mode of its turns.' },
  },
  maxTurns: {
    schema: {
      type: 'integer',
      minimum: 1,
      description: 'Maximum number of model calls in one run.',
    },
    default: MAX_TURNS,
    argument: {
      name: 'max_turns',
      schema: {
        description: `Maximum number of agent turns (model calls) in one run. Default: ${MAX_TURNS}.`,
      },
    },
    flat: { name: 'maxTurns' },
  },
  maxSpawnDepth: {
    schema: {
      type: 'integer',
      minimum: 0,
      description: 'Maximum depth of child turns; 0: none.',
    },
    argument: {
      name: 'max_spawn_depth',
      before: 'max_turns',
      schema: {
        description:
          'Maximum depth of turns that its turns may start; 0: none. Default: that of the project.',
      },
    },
    flat: { name: 'maxSpawnDepth' },
  },
  network: {
    schema: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 200,
      description:
        'Hosts that its turns may connect to, such as `api.github.com`, `*.example.org:443` or `*`; empty: none. Default: those of the project.',
    },
    argument: {
      name: 'network',
      before: 'enabled',
      schema: {
        type: ['string', 'array'],
        description:
          'Hosts that its turns may connect to, as an array or a list separated by commas or line breaks: api.github.com, *.example.org:443, or * for all public hosts. [] is none. Default: those of the project, which it cannot exceed.',
      },
    },
    flat: { name: 'network', before: 'enabled' },
  },
  timeout: {
    schema: { type: 'string', description: 'Maximum duration of one run, from 1s to 7d.' },
    longest: { ms: 7 * DAY_MS, text: '7d' },
  },
  runtime: { schema: { type: 'string', description: 'Runtime of the turns.' } },
} as const satisfies Fields;

/** The fields of `policy`: how fires that overlap or were missed are treated. */
export const policyFields = {
  overlap: {
    schema: {
      enum: ['skip', 'queue', 'allow'],
      description:
        'What to do with a slot or event while a run is in progress. skip: skip it. queue: one slot waits, later ones are skipped; all events wait. allow: start it in parallel; not with session: resume. Default: skip for a schedule, queue for an event.',
    },
    argument: {
      name: 'overlap',
      schema: {
        description:
          'What to do with a slot or event while a run is in progress: skip it (default for a schedule), queue it (default for an event; one slot waits, later ones are skipped; all events wait), or allow it to start in parallel, not with session: resume.',
      },
    },
  },
  catchUp: {
    schema: {
      enum: ['none', 'latest'],
      description: 'Whether to catch up the newest missed slot.',
    },
    assumed: 'latest',
    argument: {
      name: 'catch_up',
      schema: {
        description:
          'Slots missed while the service was down: latest (default) runs the newest one; none runs none of them.',
      },
    },
  },
  catchUpWindow: {
    schema: { type: 'string', description: 'Maximum age of a missed slot to catch up.' },
    longest: { ms: 366 * DAY_MS, text: '366d' },
  },
  jitter: {
    schema: {
      type: 'string',
      description:
        'Maximum delay of each start, from 1s to 1d, so that triggers with the same schedule do not start together. The delay of a trigger is constant; the slot keeps its time. Schedules only.',
    },
    longest: { ms: DAY_MS, text: '1d' },
  },
  firesPerDay: {
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      description:
        'Maximum number of runs per day in the time zone of the host, including Run now.',
    },
  },
  costPerDayUsd: {
    schema: {
      ...costPerDaySchema,
      description:
        'Maximum cost of its runs and all turns they start, per day in the time zone of the host, in US dollars.',
    },
  },
  pauseAfterFailures: {
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'Number of consecutive failed runs after which it is paused.',
    },
  },
} as const satisfies Fields;

/** The fields beside these maps. */
export const topFields = {
  enabled: {
    schema: { type: 'boolean', description: 'Whether it is armed.' },
    default: false,
    argument: {
      name: 'enabled',
      schema: {
        description: 'Whether it fires. A new trigger: false. An existing one: unchanged.',
      },
    },
    flat: { name: 'enabled' },
  },
} as const satisfies Fields;
