#!/bin/bash
# Attempts to leave a sandbox: bash attacks/attack.sh RESULTS GROUP…
#
# Variables name the targets, see sandbox-fence-world.ts. RESULTS is a new folder with the output of each attempt in a file of its
# name, and `succeeded` with the names of those that succeeded. Attempts of the groups reads, writes and network are harmless
# outside of a sandbox, too, and succeed there.
cd "$(dirname "$0")/.." || exit 1
results=$PWD/$1
shift
made=$results/made
mkdir -p "$made" && : > "$results/succeeded" || exit 1
SECRET='svc-fence-secret-[a-z]+'

# attempt NAME COMMAND: it succeeds if the command does.
attempt() {
  if (eval "$2") </dev/null >"$results/$1" 2>&1; then echo "$1" >> "$results/succeeded"; fi
}

# read_secret NAME COMMAND: it succeeds if the command prints a secret.
read_secret() {
  attempt "$1" "{ $2; } 2>&1 | tr '\\0' '\\n' | grep -aoE -m1 '$SECRET'"
}

# change NAME PATH COMMAND: it succeeds if the path contains `evil` afterwards.
change() {
  attempt "$1" "$3; grep -rqs evil '$2'"
}

# effect NAME COMMAND: only the test sees from outside whether it succeeds. A sandbox may have a folder of the same name.
effect() {
  attempt "$1" "$2; false"
}

reads() {
  read_secret environ 'cat /proc/[0-9]*/environ'
  attempt instance-file 'cat "$SVC_HOME/data/instance.json"'
  read_secret env-file 'cat "$SVC_HOME/secret.env"'
  read_secret database 'cat "$SVC_HOME"/data/*'
  read_secret other-project 'cat "$SVC_HOME"/projects/other/*'
  read_secret ssh-key 'cat "$PERSON/.ssh/id_ed25519"'
  read_secret relative-path 'cat ../../secret.env'
  read_secret link 'ln -sfn "$SVC_HOME/secret.env" "$made/link.env"; cat "$made/link.env"'
  read_secret hard-link 'ln "$SVC_HOME/secret.env" "$made/hard.env"; cat "$made/hard.env"; rm -f "$made/hard.env"'
  read_secret root-of-process 'cat /proc/[0-9]*/root/"$SVC_HOME"/secret.env'
  read_secret folder-of-process 'cat /proc/[0-9]*/cwd/secret.env /proc/[0-9]*/cwd/../../secret.env'
}

writes() {
  change project-yaml project.yaml 'echo "# evil" >> project.yaml'
  change project-yaml-renamed project.yaml 'echo "# evil" > "$made/new"; cat project.yaml >> "$made/new"; mv -f "$made/new" project.yaml'
  change project-yaml-linked project.yaml 'echo "# evil" > new; cat project.yaml >> new; ln -f new project.yaml; rm -f new'
  change project-yaml-descriptor project.yaml 'exec 7< project.yaml; echo "# evil" >> /proc/self/fd/7'
  change project-yaml-folder project.yaml 'exec 7< .; echo "# evil" >> /proc/self/fd/7/project.yaml'
  change git-hook .git/hooks/post-commit 'echo "# evil" >> .git/hooks/post-commit'
  change git-new-hook .git/hooks 'echo evil > .git/hooks/pre-commit'
  change git-config .git/config 'echo "# evil" >> .git/config'
  change git-config-command .git/config 'git -c safe.directory="*" config core.fsmonitor evil'
  change svc-folder .svc/kept.md 'echo evil >> .svc/kept.md'
  change svc-folder-new .svc 'mkdir -p .svc/triggers; echo evil > .svc/triggers/new.md'
  change claude-folder .claude/settings.json 'echo evil >> .claude/settings.json'
  change claude-folder-new .claude 'mkdir -p .claude/skills; echo evil > .claude/skills/new.md'
  effect outside 'echo evil >> "$SVC_HOME/outside.txt"'
  effect outside-relative 'echo evil >> ../../outside.txt'
  effect outside-new 'echo evil > "$SVC_HOME/new.txt"'
  effect other-project-new 'mkdir -p "$SVC_HOME/projects/other"; echo evil > "$SVC_HOME/projects/other/new.md"'
  effect ssh-keys 'mkdir -p "$PERSON/.ssh"; echo evil >> "$PERSON/.ssh/authorized_keys"'
}

network() {
  node attacks/network.mjs "$results"
}

# Without protection, these would harm the machine or the test, so each stops at the first success and changes as little as possible.
system() {
  read_secret under-another-name 'timeout 20 find / -maxdepth 7 \( -path /proc -o -path /usr -o -path "$PWD" \) -prune -o \( -name secret.env -o -name id_ed25519 -o -name outside.txt -o -name "svc.db*" \) -exec cat {} +'
  moves; processes; rights; kernel
  command -v perl > /dev/null && perl attacks/syscalls.pl "$results"
}

moves() {
  change git-moved .git/hooks/pre-commit 'mv .git "$made/git"; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'
  change git-hooks-moved .git/hooks 'mv .git/hooks "$made/hooks"; mkdir .git/hooks; echo evil > .git/hooks/pre-commit'
  effect git-common-folder 'echo "$results" > .git/commondir; echo evil > .git/config.worktree; mkdir .git/modules'
  attempt claude-moved 'mv .claude "$made/claude" || rm -r .claude'
  attempt project-removed 'rm -f project.yaml; [ ! -e project.yaml ]'
  attempt project-moved 'mv "$PWD" "$PWD-moved"'
  change unmounted project.yaml 'umount -l "$PWD/project.yaml"; echo "# evil" >> project.yaml'
  attempt system-folder 'echo evil > /usr/svc-fence || echo evil > /etc/svc-fence'
  attempt system-users 'touch /etc/passwd'
  attempt shadow 'cat /etc/shadow'
}

processes() {
  effect left-by-setsid '(setsid -f sleep "$LEFT") > /dev/null 2>&1'
  effect left-by-double-fork '( (sleep "$LEFT" & ) & ) > /dev/null 2>&1'
  effect left-by-hangup '(trap "" HUP TERM INT; setsid sh -c "trap \"\" HUP TERM; sleep $LEFT; true" & ) > /dev/null 2>&1'
  # Without the marks of the turn: its variables, and a limit.
  effect left-without-marks '(ulimit -x 1; env -i /usr/bin/setsid -f sleep "$LEFT") > /dev/null 2>&1'
  effect left-running 'grep -alF "$LEFT" /proc/[0-9]*/cmdline'
  attempt process-seen 'grep -aqs "$VICTIM" /proc/[0-9]*/cmdline'
  attempt service-seen 'grep -aqs "serve.--home" /proc/[0-9]*/cmdline'
  # A process of the sandbox may have the same number.
  for pid in "$VICTIM_PID" "$SERVICE_PID"; do
    if [ ! -e "/proc/$pid" ]; then attempt "kill-$pid" "kill -9 $pid"; fi
  done
  attempt descriptors 'find /proc/[0-9]*/fd -lname "$SVC_HOME/*" -not -lname "$PWD*" 2> /dev/null | grep .'
}

rights() {
  attempt mount-temporary 'mkdir -p "$made/mount"; mount -t tmpfs none "$made/mount"'
  attempt mount-bind 'mount --bind / "$made"'
  attempt mount-processes 'mount -t proc none /proc'
  attempt remount 'mount -o remount,rw / || mount -o remount,bind,rw "$PWD/project.yaml"'
  attempt disk 'mknod "$made/disk" b $(stat -c "%Hd %Ld" .) && head -c1 "$made/disk"'
  attempt memory-device 'mknod "$made/mem" c 1 1 && head -c1 "$made/mem" || head -c1 /dev/mem || head -c1 /dev/kmsg'
  attempt user-namespace 'unshare --user --map-root-user true || unshare --user true'
  attempt mount-namespace 'unshare --mount true || unshare --user --mount true'
  attempt network-namespace 'unshare --net true || unshare --pid --fork true'
  attempt enter-first-process 'nsenter --target 1 --user --mount --pid --net true'
  attempt nested-sandbox 'bwrap --ro-bind / / --proc /proc true'
  attempt root-folder 'chroot / true'
  attempt new-rights 'grep -q "^NoNewPrivs:.*0$" /proc/[0-9]*/status'
  attempt kept-rights 'grep -hE "^Cap(Inh|Prm|Eff|Amb):" /proc/[0-9]*/status | grep "[1-9a-f]$\|[1-9a-f]0*$"'
  local caps='grep -E "^CapEff:.*[1-9a-f]" /proc/self/status'
  attempt setuid-su "timeout 5 su -s /bin/sh -c '$caps' root"
  attempt setuid-sudo "timeout 5 sudo -n sh -c '$caps'"
  attempt setuid-planted "./setuid-shell -p -c '$caps'"
  attempt setuid-own "cp /bin/sh '$made/own'; chmod 4755 '$made/own'; '$made/own' -p -c '$caps'"
}

kernel() {
  # Writes what is there already.
  local name
  for name in kernel/core_pattern kernel/modprobe kernel/pid_max kernel/hostname vm/overcommit_memory user/max_user_namespaces; do
    if [ -e "/proc/sys/$name" ]; then
      attempt "sysctl-${name//\//-}" "value=\$(cat /proc/sys/$name); printf %s \"\$value\" > /proc/sys/$name"
    fi
  done
  attempt sysrq 'echo h > /proc/sysrq-trigger'
  attempt host-name 'hostname "$(hostname)"'
  attempt kernel-keys '[ -n "$(cat /proc/keys /proc/key-users)" ]'
  attempt control-groups 'mkdir /sys/fs/cgroup/svc-fence'
}

for group; do "$group"; done
: > "$results/end"
