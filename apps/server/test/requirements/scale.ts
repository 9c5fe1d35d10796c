import type { Rows } from './rows.ts';

/** Many projects, many triggers and many fires on one machine. */
export const SCALE: Rows = {
  'scale.durable':
    'Concurrent writes share a commit; none is acknowledged or visible before it is on disk.',
  'scale.alone': 'A failing write does not affect others in the same commit.',
  'scale.kept': 'From the second start on, unchanged projects are armed without being read.',
  'scale.kept.content':
    'Only the content decides whether a file is unchanged: an edit counts, whatever its times and size.',
  'scale.kept.droppable':
    'The cache for the next start can be lost, damaged or of another version: then the files are read.',
  'scale.large-files.once':
    'As many as 64 project files of 1 MiB are parsed once each, and again only when their content changes.',
  'scale.large-files.fair':
    'Projects take turns at parsing: large files of one project do not delay the others.',
  'scale.idle': 'An idle service wakes up only a few times a second.',
  'scale.progress': 'While a start arms triggers, its progress is reported.',
  'scale.start.stopped': 'A service stopped during its start ends without arming everything.',
  'scale.watch-limit.doctor': '`svc doctor` names the limit too.',
  'scale.watch-limit.said':
    'If the system limit of watches is reached, log, status and page name the limit and how to raise it.',
  'scale.watch-limit.followed': 'Edits are then found by polling, 500 projects a second.',
  'scale.watch-limit.recovers': 'Projects are watched again within a minute when that is possible.',
};
