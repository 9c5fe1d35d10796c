import { type RuntimeBlock, settingsEditorSchema } from '@svc/settings';
import { projectFileSchema } from '@svc/trigger-schema';

const CONFIG = `# yaml-language-server: $schema=./svc.config.schema.json
# Settings of this instance. All of them have defaults, so this file can stay empty.
# server:
#   host: 127.0.0.1
#   port: 7420
# limits:
#   concurrentTurns: 4
#   turnTimeout: 60m
`;

const project = (
  home: string,
): string => `# yaml-language-server: $schema=${home}/project.schema.json
# A project is a folder with this file. svc watches it: changes take effect within two seconds.
name: Hello
summary: Shows what a trigger does
status: active

triggers:
  # Fires every 30 seconds. Uses no AI: it runs the steps in its prompt file.
  heartbeat:
    trigger:
      type: schedule
      interval: 30s
    run:
      promptFile: heartbeat.md # in .svc/triggers/, read at each firing
      tools: [Read, Write, Bash] # the only tools of this agent
      runtime: native
      model: playbook # no AI, even if a model is configured
      maxTurns: 10
      timeout: 1m
      session: resume # continues one chat; "new" starts a new chat each time
    enabled: true

  # Disabled. Set enabled to true, and it fires Monday through Friday at 9:00.
  weekday-report:
    trigger:
      type: schedule
      cron: 0 9 * * 1-5
      # timezone: Europe/Berlin
    run:
      prompt: |
        Count what the heartbeat has written.

        \`\`\`bash
        wc -l heartbeat.log
        \`\`\`
      tools: [Bash]
      runtime: native
      model: playbook
    enabled: false
`;

// Disabled, because it would incur costs.
function modelTrigger({ runtime, isLimited }: RuntimeBlock): string {
  const tools = isLimited
    ? '      tools: [Read, Glob, Grep] # read-only tools'
    : '      # no tools list: this runtime cannot enforce one';
  return `
  # Runs an agent with a model. Try it with: svc fire hello ask --wait
  ask:
    trigger:
      type: schedule
      cron: 0 8 * * 1-5
    run:
      prompt: In one sentence, what do the files of this folder do?
${tools}
      runtime: ${runtime}
      maxTurns: 10
    enabled: false
`;
}

const HEARTBEAT = `Write the time to a file in the project folder.

\`\`\`bash
date -u +%Y-%m-%dT%H:%M:%SZ >> heartbeat.log
tail -n 3 heartbeat.log
\`\`\`

Then leave a note for people.

\`\`\`write latest.md
The heartbeat trigger has run. See heartbeat.log for the times.
\`\`\`

Both files are up to date.
`;

const jsonOf = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

/** The files of a new home, by path. */
export interface SampleFiles {
  /** Relative to the home. */
  readonly settings: Readonly<Record<string, string>>;
  /** Relative to the folder of the sample project. */
  readonly project: Readonly<Record<string, string>>;
}

/**
 * The files of a new home; with a runtime also its settings and a trigger that uses it.
 *
 * @param home path from the project folder to the home
 */
export function sampleFiles(block: RuntimeBlock | null, home: string): SampleFiles {
  return {
    settings: {
      'svc.config.yaml': block === null ? CONFIG : `${CONFIG}\n${block.text}`,
      'svc.config.schema.json': jsonOf(settingsEditorSchema()),
      'project.schema.json': jsonOf(projectFileSchema),
    },
    project: {
      'hello/project.yaml': block === null ? project(home) : project(home) + modelTrigger(block),
      'hello/.svc/triggers/heartbeat.md': HEARTBEAT,
      'hello/.gitignore': 'heartbeat.log\nlatest.md\n',
    },
  };
}
