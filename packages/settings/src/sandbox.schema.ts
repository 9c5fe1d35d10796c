import { guarded, shown, size, whole } from './schema-parts.ts';

const see = { 'x-see': '[Sandbox](security.md#the-sandbox)' } as const;
const folders = {
  type: 'array',
  items: { type: 'string', pattern: '^/[^\\x00]*$' },
  errorMessage: 'must be a list of absolute paths.',
} as const;
const program = {
  type: 'string',
  pattern: '^/[^\\x00]*$',
  errorMessage: 'must be the absolute path of bwrap.',
} as const;

/** Settings of the sandboxes that agents run in. */
export const sandboxSchema = guarded({
  mode: shown(
    { enum: ['auto', 'required', 'off'], ...see },
    'auto',
    'Whether agents run in a sandbox (Linux). `auto`: where possible; `required`: else turns fail.',
  ),
  memory: shown(size, '2GiB', 'Memory that the processes of a turn may use together.'),
  processes: shown(
    whole(16, 100_000),
    512,
    'Number of processes and threads that a turn may have.',
  ),
  cpuTime: shown(
    { type: ['string', 'null'], format: 'age' },
    null,
    'CPU time that the processes of a turn may use together; `null`: no limit.',
  ),
  network: shown(
    {
      type: ['array', 'string'],
      items: { type: 'string', format: 'host' },
      maxItems: 200,
      pattern: '^unrestricted$',
      errorMessage:
        'must be a list of hosts, such as [api.github.com, "*.example.org:443"], or unrestricted.',
      ...see,
    },
    ['*'],
    'Hosts that agents may connect to: `*` (all public hosts), names, `*.example.org`, or addresses, with or without a port. Addresses that are not public must be listed. `unrestricted`: no limit, and no record.',
  ),
  hide: shown(folders, [], 'Paths that do not exist in sandboxes.'),
  readOnly: shown(folders, [], 'Paths outside of projects that agents may read.'),
  writable: shown(folders, [], 'Paths outside of projects that agents may change.'),
  bwrap: shown(program, null, 'Program bwrap. Without it, the one on the `PATH` of svc.'),
});
