import type { Rows } from './rows.ts';

/** Many projects, many triggers and many fires on one machine. */
export const SCALE: Rows = {
  'scale.durable':
    'Writes share a commit where they come together; none is answered, and nothing of it is seen, before it is on the disk.',
  'scale.alone': 'Of writes that share a commit one that fails touches no other.',
  'scale.kept': 'From the second start on, what is as it was is armed without being read again.',
  'scale.kept.content':
    'What tells whether a file is as it was is what stands in it: an edit counts, whatever times and size it leaves.',
  'scale.kept.droppable':
    'What is remembered for the next start may be lost, spoiled or of another program: then the files are read.',
  'scale.large-files.once':
    'As many as 64 project files of 1 MiB are parsed once each, and again only when their content changes.',
  'scale.large-files.fair':
    'Projects take turns at parsing: large files of one project do not delay the others.',
  'scale.idle': 'A service with nothing to do is woken a few times a second.',
  'scale.progress': 'While a start arms, whoever asks is told how far it has come.',
  'scale.start.stopped':
    'A service that is stopped while it starts ends without having armed everything.',
  'scale.watch-limit.doctor': '`svc doctor` names the limit too.',
  'scale.watch-limit.said':
    'Where the machine has no room for more watches, log, status and page name the limit and how to raise it.',
  'scale.watch-limit.followed': 'Edits are found by looking for them then, 500 projects a second.',
  'scale.watch-limit.recovers': 'What can be watched again is, within a minute.',
};
