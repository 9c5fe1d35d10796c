/** Options that every command has. */
export const COMMON = `  --home DIR      the home folder (SVC_HOME; default ./.svc-home)
  --config FILE   the configuration file (SVC_CONFIG; default svc.config.yaml in the home)`;

/** What programs ask for. */
export const JSON_LINE = '  --json          for programs: one JSON value in place of lines';

/** Options of the commands that also work with a server elsewhere. */
export const REMOTE: string = `${JSON_LINE}
  --url URL       a server elsewhere, in place of the one of the home
  --token env:N   the variable N that holds the token for it; what it is depends on auth.mode there`;

/** The help of the commands of every day. */
export const EVERYDAY_HELP: Readonly<Record<string, string>> = {
  open: `Usage: svc open [--print]

Opens the page of the running service in a browser, and says where it is.

  --print         only say where it is
With --json: { "url" }, and no browser is opened.

${REMOTE}
${COMMON}`,
  triggers: `Usage: svc triggers [PROJECT]

Lists the triggers of a project, or of all: how each stands, its schedule, when it fires next in the time of this machine, its
newest run, what it cost this month, and why it does not fire where it could.
States: on, off, running, paused, invalid (its entry does not count), not armed.

  svc triggers
  svc triggers hello --json

With --json: { "triggers": [{ project, name, source, state, reason, schedule, nextFire, lastRun, costMonth }] }; lastRun has
id, state, outcome and claimedAt. Times are ISO 8601 in UTC, costMonth is in US dollars; null is unknown, or none.

${REMOTE}
${COMMON}`,
  runs: `Usage: svc runs [PROJECT [TRIGGER]] [--failed] [--follow] [--limit N]

Lists the newest runs, the newest first: when each was due, how it ended, how long it took, what it cost, and why it did not
succeed. Times are those of this machine.

  svc runs --failed
  svc runs hello heartbeat --limit 100
  svc runs --follow

  --failed        only those that somebody should look at: failed, timed_out, max_turns, denied, no_model, interrupted,
                  missed, skipped_limit
  -f, --follow    then each run when it starts and when it ends, until Ctrl-C
  --limit N       how many, 1 to 200 (default 20)
With --json: { "runs": [...], "next" }, each as GET /api/runs has it; with --follow each run on a line of its own.

${REMOTE}
${COMMON}`,
  show: `Usage: svc show RUN

Shows one run: how it ended and why, when it was due and started, what it used, which tool calls were refused, and all that was
said and done in its turn. RUN is its id, or a part at the beginning or the end of one of the newest.

  svc show 01990c2e-5f2a-7bb1-8a52-0d2f6c1e9a44
  svc show 0d2f6c1e9a44
With --json: { "run", "messages": [...] }.

${REMOTE}
${COMMON}`,
  chats: `Usage: svc chats [PROJECT] [--all] [--limit N]

Lists the chats of a project, or of all, those with the newest activity first.

  --all           those that are archived too
  --limit N       how many, 1 to 200 (default 20)
With --json: { "chats": [...] }, each as GET /api/projects/PROJECT/chats has it.

${REMOTE}
${COMMON}`,
  send: `Usage: svc send PROJECT CHAT TEXT [--wait]
       svc send PROJECT --new TEXT [--wait]

Sends a message to a chat, whose agent then works on it, or begins a chat with the keeper of the project. CHAT is the name of a
chat, its id, or a part at the beginning or the end of that. A TEXT of - is read from the standard input.

  svc send hello --new 'What is in this folder?' --wait
  git diff | svc send hello review -

  --new           begin a chat
  --wait          wait for the end of the turn, and show what was answered
With --json: { "project", "sessionId" }; with --wait the chat with its newest messages.

${REMOTE}
${COMMON}`,
  cancel: `Usage: svc cancel RUN
       svc cancel PROJECT CHAT

Ends a run that waits or runs, or the turn of a chat. RUN and CHAT as with svc show and svc send.
With --json: the run, or the turn.

${REMOTE}
${COMMON}`,
  logs: `Usage: svc logs [--follow] [--lines N] [--level L]

Shows the newest lines of the log of the running service, which keeps the last 500 to 1,000; older ones are where its standard
output goes. On a terminal they are easy to read, else JSON, a line each.

  -f, --follow    go on with the lines to come, until Ctrl-C, also after the service was started again
  --lines N       how many to begin with, 1 to 1000 (default 100)
  --level L       only lines of this level or above: debug, info, warn, error
With --json: each line as it was written, also on a terminal.

${REMOTE}
${COMMON}`,
  completion: `Usage: svc completion bash | zsh | fish

Prints what has a shell complete commands, options, projects and triggers with the tab key.

  bash: echo 'source <(svc completion bash)' >> ~/.bashrc
  zsh:  echo 'source <(svc completion zsh)' >> ~/.zshrc  (after: autoload -Uz compinit; compinit)
  fish: mkdir -p ~/.config/fish/completions; svc completion fish > ~/.config/fish/completions/svc.fish`,
};
