/** Options of every command. */
export const COMMON = `  --home DIR      home folder (SVC_HOME; default ./.svc-home)
  --config FILE   configuration file (SVC_CONFIG; default svc.config.yaml in the home)`;

/** The option for programs. */
export const JSON_LINE = '  --json          print one JSON value instead of text';

/** Options of commands that also work with a remote server. */
export const REMOTE: string = `${JSON_LINE}
  --url URL       connect to this server instead of the one running for the home folder
  --token env:N   read the access token from environment variable N (the server's auth.mode determines its kind)`;

/** Help of everyday commands. */
export const EVERYDAY_HELP: Readonly<Record<string, string>> = {
  open: `Usage: svc open [--print]

Open the web UI of the running service in a browser and print its address.

  --print         print the address without opening a browser
With --json: { "url" }; no browser is opened.

${REMOTE}
${COMMON}`,
  triggers: `Usage: svc triggers [PROJECT]

List the triggers of one project or of all: state, schedule, next run in this machine's local time, last run, cost this month,
and why a trigger does not fire.
States: on, off, running, paused, limited, invalid (its entry is ignored), not armed, will fail.

  svc triggers
  svc triggers hello --json

With --json: { "triggers": [{ project, name, source, state, reason, schedule, nextFire, lastRun, costMonth }] }; lastRun has
id, state, outcome and claimedAt. Times are ISO 8601 in UTC, costMonth is in US dollars; null means unknown or none.

${REMOTE}
${COMMON}`,
  runs: `Usage: svc runs [PROJECT [TRIGGER]] [--failed] [--follow] [--limit N]

List runs, newest first: scheduled time, outcome, duration, cost, and the reason if a run did not succeed. Times are in this
machine's local time.

  svc runs --failed
  svc runs hello heartbeat --limit 100
  svc runs --follow

  --failed        only runs that need attention: failed, timed_out, max_turns, denied, no_model, interrupted, missed,
                  skipped_limit
  -f, --follow    keep running and print each run when it starts and ends, until Ctrl-C
  --limit N       number of runs, 1 to 200 (default 20)
With --json: { "runs": [...], "next" }, as in GET /api/runs; with --follow one run per line.

${REMOTE}
${COMMON}`,
  show: `Usage: svc show RUN

Show one run: outcome, reason, scheduled and start time, usage, refused tool calls, and the transcript of its turn. RUN is an id,
or the first or last characters of the id of a recent run.

  svc show 01990c2e-5f2a-7bb1-8a52-0d2f6c1e9a44
  svc show 0d2f6c1e9a44
With --json: { "run", "messages": [...] }.

${REMOTE}
${COMMON}`,
  chats: `Usage: svc chats [PROJECT] [--all] [--limit N]

List the chats of one project or of all, most recently active first.

  --all           include archived chats
  --limit N       number of chats, 1 to 200 (default 20)
With --json: { "chats": [...] }, as in GET /api/projects/PROJECT/chats.

${REMOTE}
${COMMON}`,
  send: `Usage: svc send PROJECT CHAT TEXT [--wait]
       svc send PROJECT --new TEXT [--wait]

Send a message to a chat, which starts a turn of its agent, or start a chat with the keeper of the project. CHAT is the name or
id of a chat, or the first or last characters of its id. If TEXT is -, it is read from standard input.

  svc send hello --new 'What is in this folder?' --wait
  git diff | svc send hello review -

  --new           start a new chat
  --wait          wait for the turn to end and show the answer
With --json: { "project", "sessionId" }; with --wait the chat with its newest messages.

${REMOTE}
${COMMON}`,
  cancel: `Usage: svc cancel RUN
       svc cancel PROJECT CHAT

Cancel a queued or running run, or the turn of a chat. Give RUN and CHAT as for svc show and svc send.
With --json: the run or the turn.

${REMOTE}
${COMMON}`,
  logs: `Usage: svc logs [--follow] [--lines N] [--level L]

Show the newest log lines of the running service, which keeps the last 500 to 1,000. Older lines are in its standard output.
Lines are formatted on a terminal, and JSON otherwise.

  -f, --follow    continue with new lines until Ctrl-C, even across restarts of the service
  --lines N       number of lines to start with, 1 to 1000 (default 100)
  --level L       only lines of this level or above: debug, info, warn, error
With --json: each line as logged, even on a terminal.

${REMOTE}
${COMMON}`,
  completion: `Usage: svc completion bash | zsh | fish

Print a script that completes commands, options, projects and triggers with the tab key.

  bash: echo 'source <(svc completion bash)' >> ~/.bashrc
  zsh:  echo 'source <(svc completion zsh)' >> ~/.zshrc  (after: autoload -Uz compinit; compinit)
  fish: mkdir -p ~/.config/fish/completions; svc completion fish > ~/.config/fish/completions/svc.fish`,
};
