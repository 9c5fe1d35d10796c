import type { Command } from '../command.ts';

/** Shows the runs of a schedule. */
export const preview: Command = {
  name: 'preview',
  group: 'Set up',
  summary: 'show what a schedule means and when it runs',
  usage: ["'CRON' | INTERVAL"],
  arguments: { 'SCHEDULE...': null },
  takes: "a schedule: svc preview '0 9 * * 1-5'.",
  options: {
    '--timezone ZONE': "IANA name, for cron only (default: this machine's time zone)",
    '--count N': 'number of runs to show, 1 to 100 (default 5)',
  },
  description: `
Show what a schedule means and its next runs. Intervals start now.

  svc preview '0 9 * * 1-5' --timezone Europe/Berlin
  svc preview 90m`,
  json: 'the response of GET /api/preview.',
  // Loaded on demand, because it brings the operations.
  run: async (context) => (await import('../preview-schedule.ts')).runPreview(context),
};
