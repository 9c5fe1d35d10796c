import type { CallFilter } from './call-filter.ts';

/** What loads the filter of system calls for commands. */
export interface Launcher {
  /** Absolute path of Perl, also in sandboxes. */
  readonly perl: string;
  readonly filter: CallFilter;
}

/** A command with its environment. */
export interface Launch {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
}

// The parent of a command is outside the process namespace, so it is never stopped with the others. The one of nsenter
// would stop and continue together with its child, also while the sandbox is paused. A command has a session of its own,
// because signals to its process group would reach its parent.
const PARENT = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'] as const;
// The same with a filter of system calls. It is loaded before the process that is visible in the sandbox exists, so that
// no other process there can take over one without a filter. Without SECCOMP_FILTER_FLAG_SPEC_ALLOW (4), kernels before
// 5.16 slow down the command, so prctl(2) is used only where seccomp(2) is not allowed. Perl must not follow settings that are meant for the command.
const [OWN, PASSED] = ['PERL', 'SVC_COMMAND_PERL'];
const FILTERED_PARENT = `
my ($seccomp, $prctl, $setsid, $code) = splice @ARGV, 0, 4;
$code = pack 'H*', $code;
my $filter = pack 'S x![P] P', length($code) / 8, $code;
syscall($seccomp + 0, 1, 4, $filter) == 0
  or syscall($prctl + 0, 22, 2, $filter, 0, 0) == 0
  or die "the filter of system calls was refused: $!\\n";
delete $ENV{PERL_BADLANG};
for (keys %ENV) { $ENV{"${OWN}$1"} = delete $ENV{$_} if /^${PASSED}(.*)/s }
my $pid = fork;
defined $pid or die "fork: $!\\n";
if ($pid == 0) {
  syscall($setsid + 0);
  exec { $ARGV[0] } @ARGV;
  print STDERR "$ARGV[0]: $!\\n";
  exit 127;
}
waitpid $pid, 0;
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
`;

/**
 * How to start a program in a session of its own, as the child of a process that waits for it.
 *
 * @param launcher null to start it without a filter
 * @param setsid absolute path of the program
 */
export function launchOf(
  launcher: Launcher | null,
  setsid: string,
  { command, env }: Launch,
): Launch {
  if (launcher === null) return { command: [...PARENT, setsid, ...command], env };
  const { perl, filter } = launcher;
  const entries = Object.entries(env).map(([name, value]) => [
    name.startsWith(OWN) ? `${PASSED}${name.slice(OWN.length)}` : name,
    value,
  ]);
  const calls = [filter.seccomp, filter.prctl, filter.setsid].map(String);
  return {
    command: [perl, '-e', FILTERED_PARENT, '--', ...calls, filter.code.toString('hex'), ...command],
    // Perl would report a locale that is not installed.
    env: { ...Object.fromEntries(entries), PERL_BADLANG: '0' },
  };
}
