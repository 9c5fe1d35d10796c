import type { Rows } from './rows.ts';

/** When a trigger fires, what it runs, and how its state changes. */
export const TRIGGERS: Rows = {
  'trigger.stored': 'A trigger is an entry of the map triggers in project.yaml, under its name.',
  'trigger.enabled.default': 'A trigger that is made without enabled is not enabled.',
  'trigger.disabled': 'A disabled trigger is stored and never fired by time.',
  'trigger.type': 'trigger.type is schedule, event or webhook.',
  'trigger.webhook.reserved': 'A webhook trigger is stored and may be enabled, but never fires.',
  'trigger.cron.form': 'cron has five fields, or is @daily or @hourly.',
  'trigger.cron.host-local': 'cron means the local time of the host.',
  'trigger.interval.form': 'interval is a duration such as 30m, 1h or 15m.',
  'trigger.event.names': 'on is onArchive or afterTurn.',
  'trigger.schedule.one-of': 'A schedule has exactly one of cron and interval.',

  'run.prompt': 'prompt is the instruction that a firing runs.',
  'run.prompt-file.fresh': 'promptFile is read from .svc/triggers/ afresh at each firing.',
  'run.prompt-file.name': 'A promptFile that leaves its folder or does not end in .md is refused.',
  'run.prompt-file.tracked':
    'A prompt file is an ordinary file of the project, which git can track.',
  'run.prompt-file.keeper': 'A keeper may edit prompt files.',
  'run.prompt.one-of': 'Exactly one of prompt and promptFile is required.',
  'run.prompt.both': 'An entry with prompt and promptFile is an error and dropped as a whole.',
  'run.session.default': 'session is new where it is not given.',
  'run.session.new': 'With session new every firing has a chat of its own.',
  'run.session.resume': 'With session resume all firings go on in one chat, which is theirs.',
  'run.tools.default': 'tools is empty where it is not given.',
  'run.tools.keeper': 'A schedule without tools runs as the keeper, with all tools of the keeper.',
  'run.tools.scoped': 'A schedule with tools runs as an agent of its own, with exactly these.',
  'run.tools.hook': 'An event trigger without tools has none, and can only reason.',
  'run.tools.agent-name': 'A fired agent is named trigger-<slug>-<name>.',
  'run.tools.enforced': 'The runtime enforces the tools: what is not listed cannot be used.',
  'run.tools.banner': 'The chat tells what the agent may do, out of what is enforced.',
  'run.outcome.words':
    'A transcript tells in words how a turn ended; the code stands in the field of its run.',
  'run.tools.catalogue': 'tools holds names out of the catalogue of grantable tools.',
  'run.tools.catalogue.built-in':
    'The catalogue has Read, Glob, Grep, Edit, Write, NotebookEdit, Bash, WebFetch, WebSearch, Task and more.',
  'run.model': 'model overrides the model for the trigger; without it that of the keeper holds.',
  'run.permission-mode': 'permissionMode is default, acceptEdits, bypassPermissions or plan.',
  'run.permission-mode.applied': 'Fired turns run under the permission mode of their trigger.',
  'run.max-turns': 'maxTurns bounds the turns of an agent in one fire.',
  'run.max-turns.default': 'maxTurns is 30 where it is not given.',
  'run.max-spawn-depth': 'maxSpawnDepth is a whole number from 0 on.',
  'run.max-spawn-depth.bounds': 'maxSpawnDepth bounds how deep chats start chats; 0 is not at all.',

  'schedules.armed': 'An entry of the legacy map schedules is armed and fires.',
  'schedules.type': 'Its type is cron or interval, with the field of that name.',
  'schedules.cron': 'Its cron has five fields and means the local time of the host.',
  'schedules.interval': 'Its interval is a duration.',
  'schedules.prompt': 'Its prompt is inline.',
  'schedules.prompt-file': 'Its promptFile is read from .svc/schedules/.',
  'schedules.resume-session.false': 'With resume_session false every fire has a chat of its own.',
  'schedules.resume-session.true': 'With resume_session true all fires go on in one chat.',
  'schedules.enabled': 'enabled false keeps it from firing.',
  'schedules.coexist': 'Both maps are honoured and armed, beside each other.',

  'firing.turn': 'A trigger that fires starts a turn of an agent.',
  'firing.by-time': 'Schedules fire by cron or by interval.',
  'firing.slot.exactly-once': 'Each instant at which a schedule is due fires once.',
  'firing.clock.dst':
    'In every zone a schedule fires by the policy of Debian cron around changes of the clock.',
  'firing.clock.back':
    'A clock that is set forward or back has no slot run twice, and each slot lies in one row.',
  'firing.clock.silent':
    'A trigger whose next slots ran before its clock was set back says so, and when it goes on.',
  'firing.clock.go-on':
    'A person can have an interval go on at once in spite of that; slots that ran do not run again.',
  'firing.clock.suspend': 'What passes while the machine sleeps is missed or made up for, once.',
  'firing.clock.long-sleep':
    'A slot that is further away than a timer can wait fires once, at its instant.',
  'firing.clock.zone-data':
    'Where the zone data of Node and of the host differ in the coming year, the log and each trigger in that zone say so.',
  'firing.clock.host-zone':
    'Within a minute of a change of the zone of the host, triggers in host time are armed by the new one.',
  'firing.clock.own-zone':
    'A zone of the process that Node has no name for is resolved to an IANA name; what cannot be is UTC, and the log, the status, svc doctor and the page say so.',
  'torture.rows':
    'However often the service is killed, whatever its clock and disk do: once it is well again each slot has exactly one row.',
  'torture.agents':
    'However often the service is killed, its rows and what agents have really done agree, both ways.',
  'torture.plants': 'The checker of these promises finds the faults that are planted for it.',
  'overlap.queue':
    'With overlap: queue one slot waits for the run before it, later ones are skipped, and never two run at a time.',
  'overlap.queue.kill':
    'A slot that waits starts after a kill, inside its catch-up window; past it, it is missed.',
  'overlap.queue.cancel': 'A slot that waits can be cancelled.',
  'overlap.allow': 'With overlap: allow slots and events start beside each other.',
  'firing.now': 'Run now starts a real turn at once, of a disabled trigger too.',
  'firing.one-path': 'Run now takes the path of any other firing.',
  'firing.now.state': 'Run now leaves the state of a trigger as it is.',

  'state.new.disabled': 'A new trigger without enabled is stored, and not armed.',
  'state.new.enabled': 'A new trigger with enabled true is stored and armed.',
  'state.enable': 'Switching enabled on arms a trigger.',
  'state.disable': 'Switching enabled off disarms a trigger.',
  'state.edit': 'An edit without enabled leaves the state, and changes what it gives alone.',
  'state.remove': 'Removing a trigger deletes and disarms it.',
  'state.no-verb': 'No route and no tool enables or disables: that is an edit of enabled.',

  'policy.fires-per-day':
    'policy.firesPerDay bounds what a trigger starts on a day, Run now among it: later slots are skipped_limit, Run now a conflict.',
  'limits.fires-per-day': 'limits.firesPerDay bounds what all triggers start on a day.',

  'pausing.all':
    'While everything is paused slots are skipped_paused, consecutive ones in one row, and nothing is made up for.',
  'pausing.all.tells':
    'Status and every runtime entry say that everything is paused, by whom and why.',
  'pausing.all.restart': 'A pause of everything survives a restart.',
  'pausing.all.events':
    'While everything is paused events are skipped_paused, and turns wait for the curator.',
  'pausing.all.asked-for':
    'While everything is paused Run now and chats of people work, and running turns go on unless they are to stop.',
  'pausing.all.left':
    'While everything is paused no turn starts that a turn of a trigger has begun and left behind at its end.',
  'pausing.roles': 'Who may only read can neither pause nor resume.',
  'pausing.all.agents':
    'While everything is paused run_trigger is refused to agents, and what one has fired is not started.',
  'pausing.failures':
    'policy.pauseAfterFailures pauses a trigger after exactly so many failures in a row.',
  'pausing.failures.kill': 'However the service is killed, no failure is lost or counted twice.',
  'pausing.failures.counts':
    'What failed, timed out, ran out of turns, was denied, found no model or could not start counts; what was cancelled or interrupted does not.',
  'pausing.failures.skips':
    'What a paused trigger would have run is skipped_paused, its file stays as it is, and a restart changes nothing.',
  'pausing.failures.goes-on':
    'An edit, enabled sent true, a success or the resume route end the pause of a trigger.',

  'pausing.page':
    'The page says in a banner that everything is paused, by whom and why, and lets it go on.',
  'pausing.page.trigger':
    'The page shows what a trigger is paused for and since when, counts it as needing somebody, and lets it go on.',
  'pausing.page.readers': 'A reader sees what is paused and why, and cannot have it go on.',
  'pausing.told':
    'Who pauses everything is told which pause that takes the place of, on how many servers it holds, and which of them has answered.',
  'pausing.cli':
    'svc pause and svc resume reach the running server; svc_paused tells it on /metrics.',

  'events.archive': 'archive_chat archives a chat, which is recorded as onArchive.',
  'events.on-archive': 'onArchive fires a normal hook agent when a chat is archived.',
  'events.on-archive.each': 'Each onArchive event has one run for each enabled hook.',
  'events.list': 'Events are listed over REST with the runs that they have started.',
  'events.order': 'Runs of a hook wait for each other, in the order of what happened.',
  'events.overlap': 'policy.overlap: skip has runs of events skipped while one goes on.',
  'events.loops':
    'What a turn that descends from an event does raises no event; what a person does always does.',
  'events.archive.safe': 'A failing hook leaves the archive as it is.',
  'events.unreadable': 'Events go by the last good project.yaml, and wait where none is known.',
  'events.cover':
    'Every onArchive event is covered by exactly one run of each hook, every turn of a user by exactly one run of the curator.',
  'events.away': 'Events wait while the folder of their project is away, for an hour at most.',
  'events.kill': 'A kill between archive, dispatch and start loses and doubles no run of an event.',
  'events.after-turn':
    'An afterTurn trigger customizes the curator after a turn of a user, and is no general hook.',
  'events.after-turn.debounce':
    'The curator waits for a pause; one run covers all turns since the last.',
  'events.after-turn.durable': 'A curator that waits runs after a restart.',
  'events.after-turn.now': 'Run now starts a curator once, with the turns that wait for it.',
  'events.server.rest':
    'At the built service an archived chat starts each hook once; its chat tells what it may use, the event and its data.',
  'events.server.mcp':
    'A chat that a client or the agent of a schedule archives starts hooks as one that a person archives.',
  'events.server.curator':
    'At the built service a curator writes its files after a turn of a person, and its run says what changed.',
  'events.page':
    'The page lists events with the runs that they have started, and says of a run which event has fired it.',
  'settings.curator-delay':
    'curator.delay, from 1s to 24h, is how long a curator waits for a pause; 5m unless it is set.',
  'events.after-turn.whose': 'Turns of triggers and of agents bring no curator about.',
  'policy.jitter':
    'policy.jitter starts each slot later by a constant; the slot keeps its instant.',
  'policy.jitter.constant':
    'What policy.jitter comes to depends on project and name alone, is never longer than it, and is told.',
  'limits.cost-per-day':
    'limits.costPerDayUsd lets nothing that costs begin once the day has cost it: slots are skipped_limit, people are answered 409.',
  'limits.cost-per-day.running': 'A turn that crosses limits.costPerDayUsd is ended as failed.',
  'attention.limited':
    'A trigger that a daily limit keeps from starting needs attention: its state has the reason and the first slot after that day.',
  'attention.unready':
    'A trigger whose runtime is not ready, or whose prompt no model acts on, needs attention, and is warned about where it is written.',
  'attention.unreadable':
    'A project.yaml that never could be read needs attention, and the log claims nothing armed of it.',
  'limits.cost-per-day.project':
    'costPerDayUsd of a project lets nothing that costs begin in it once the day has cost it, chats too.',
  'limits.cost-per-day.trigger':
    'policy.costPerDayUsd stops one trigger alone, and counts what its runs start.',
  'limits.cost-per-day.agent':
    'A trigger that an agent sets counts to the budget of the trigger of that agent, until a person saves it.',
  'limits.cost-per-day.known':
    'A limit of cost of a trigger or project is refused on a runtime whose turns have no known cost.',
  'limits.cost-per-day.untold':
    'Under limits.costPerDayUsd a call whose cost nobody tells ends its turn as failed.',
  'limits.cost-per-day.kill': 'What a turn had cost counts also when the service is killed.',
  'limits.cost-per-day.prices':
    'limits.costPerDayUsd is refused while a runtime has neither a cost nor prices.',
  'policy.agents-start-disabled':
    'agentTriggersStartDisabled of a project keeps off what the turn of an agent creates or switches on, and says so.',
};
