import type { Rows } from './rows.ts';

/** When a trigger fires, what it runs, and how its state changes. */
export const TRIGGERS: Rows = {
  'trigger.stored': 'A trigger is an entry of the map triggers in project.yaml, under its name.',
  'trigger.enabled.default': 'A trigger created without enabled is disabled.',
  'trigger.disabled': 'A disabled trigger is stored and never fires by time.',
  'trigger.type': 'trigger.type is schedule, event or webhook.',
  'trigger.webhook.reserved': 'A webhook trigger is stored and may be enabled, but never fires.',
  'trigger.cron.form': 'cron has five fields, or is @daily or @hourly.',
  'trigger.cron.host-local': 'cron means the local time of the host.',
  'trigger.interval.form': 'interval is a duration such as 30m, 1h or 15m.',
  'trigger.event.names': 'on is onArchive or afterTurn.',
  'trigger.schedule.one-of': 'A schedule has exactly one of cron and interval.',

  'run.prompt': 'prompt is the instruction that a fire runs.',
  'run.prompt-file.fresh': 'promptFile is read from .svc/triggers/ at each fire.',
  'run.prompt-file.name': 'A promptFile that leaves its folder or does not end in .md is refused.',
  'run.prompt-file.tracked':
    'A prompt file is an ordinary file of the project, which git can track.',
  'run.prompt-file.keeper': 'A keeper may edit prompt files.',
  'run.prompt.one-of': 'Exactly one of prompt and promptFile is required.',
  'run.prompt.both': 'An entry with prompt and promptFile is an error and dropped as a whole.',
  'run.session.default': 'The default of session is new.',
  'run.session.new': 'With session new every fire has its own chat.',
  'run.session.resume':
    'With session resume all fires continue one chat, which belongs to the trigger.',
  'run.tools.default': 'The default of tools is an empty list.',
  'run.tools.keeper': 'A schedule without tools runs as the keeper, with all tools of the keeper.',
  'run.tools.scoped': 'A schedule with tools runs as its own agent, with exactly these.',
  'run.tools.hook': 'An event trigger without tools has no tools, and can only reason.',
  'run.tools.agent-name': 'A fired agent is named trigger-<slug>-<name>.',
  'run.tools.enforced': 'The runtime enforces the tools: unlisted tools cannot be used.',
  'run.tools.banner': 'The chat shows what the agent may do, based on what is enforced.',
  'run.outcome.words':
    'A transcript describes in words how a turn ended; the field of its run has the code.',
  'run.tools.catalogue': 'tools takes names from the catalog of grantable tools.',
  'run.tools.catalogue.built-in':
    'The catalog has Read, Glob, Grep, Edit, Write, NotebookEdit, Bash, WebFetch, WebSearch, Task and more.',
  'run.model': 'model overrides the model for the trigger; the default is the model of the keeper.',
  'run.permission-mode': 'permissionMode is default, acceptEdits, bypassPermissions or plan.',
  'run.permission-mode.applied': 'Fired turns run under the permission mode of their trigger.',
  'run.max-turns': 'maxTurns limits the model calls of one fire.',
  'run.max-turns.default': 'The default of maxTurns is 30.',
  'run.max-spawn-depth': 'maxSpawnDepth is an integer of at least 0.',
  'run.max-spawn-depth.bounds':
    'maxSpawnDepth limits how deep chats start chats; 0 means not at all.',

  'schedules.armed': 'An entry of the legacy map schedules is armed and fires.',
  'schedules.type': 'Its type is cron or interval, with the field of that name.',
  'schedules.cron': 'Its cron has five fields and means the local time of the host.',
  'schedules.interval': 'Its interval is a duration.',
  'schedules.prompt': 'Its prompt is inline.',
  'schedules.prompt-file': 'Its promptFile is read from .svc/schedules/.',
  'schedules.resume-session.false': 'With resume_session false every fire has its own chat.',
  'schedules.resume-session.true': 'With resume_session true all fires continue one chat.',
  'schedules.enabled': 'enabled false keeps it from firing.',
  'schedules.coexist': 'Both maps are honored and armed side by side.',

  'firing.turn': 'A trigger that fires starts an agent turn.',
  'firing.by-time': 'Schedules fire by cron or by interval.',
  'firing.slot.exactly-once': 'Each slot of a schedule fires once.',
  'firing.clock.dst':
    'In every time zone a schedule follows the policy of Debian cron around clock changes.',
  'firing.clock.back':
    'Setting the clock forward or back runs no slot twice, and each slot is in one row.',
  'firing.clock.silent':
    'A trigger whose next slots ran before the clock was set back reports that, and when it fires again.',
  'firing.clock.go-on':
    'A person can make such an interval fire again at once; slots that ran do not run again.',
  'firing.clock.suspend': 'Slots during a suspend of the machine are missed or caught up, once.',
  'firing.clock.long-sleep': 'A slot further away than the longest timer fires once, at its time.',
  'firing.clock.zone-data':
    'If Node and the host have different zone data for the coming year, the log and each trigger in that zone report it.',
  'firing.clock.host-zone':
    'Within a minute after the time zone of the host changes, triggers in host time are armed in the new zone.',
  'firing.clock.own-zone':
    'A time zone of the process that Node cannot name is resolved to an IANA name, or else is UTC, which the log, the status, svc doctor and the page report.',
  'torture.rows':
    'However often the service is killed and whatever its clock and disk do, each slot has exactly one row after recovery.',
  'torture.agents':
    'However often the service is killed, its rows and the actual work of agents agree, both ways.',
  'torture.plants': 'The checker of these guarantees finds faults planted for it.',
  'overlap.queue':
    'With overlap: queue one slot waits for the previous run, later ones are skipped, and two never run at the same time.',
  'overlap.queue.kill':
    'A waiting slot starts after a kill if it is inside its catch-up window; otherwise it is missed.',
  'overlap.queue.cancel': 'A waiting slot can be cancelled.',
  'overlap.allow': 'With overlap: allow slots and events start in parallel.',
  'firing.now': 'Run now starts a real turn at once, also of a disabled trigger.',
  'firing.one-path': 'Run now takes the same path as any other fire.',
  'firing.now.state': 'Run now does not change the state of a trigger.',

  'state.new.disabled': 'A new trigger without enabled is stored, and not armed.',
  'state.new.enabled': 'A new trigger with enabled true is stored and armed.',
  'state.enable': 'Setting enabled to true arms a trigger.',
  'state.disable': 'Setting enabled to false disarms a trigger.',
  'state.edit': 'An edit without enabled keeps the state and changes only the given fields.',
  'state.remove': 'Removing a trigger deletes and disarms it.',
  'state.no-verb': 'No route and no tool enables or disables: that is an edit of enabled.',

  'policy.fires-per-day':
    'policy.firesPerDay limits the fires of a trigger per day, including Run now: later slots are skipped_limit, Run now is a conflict.',
  'limits.fires-per-day': 'limits.firesPerDay limits the fires of all triggers per day.',

  'pausing.all':
    'While all triggers are paused, slots are skipped_paused, consecutive ones in one row, and none is caught up.',
  'pausing.all.tells':
    'The status and every runtime entry report the pause of all triggers, with author and reason.',
  'pausing.all.restart': 'A pause of all triggers survives a restart.',
  'pausing.all.events':
    'While all triggers are paused, events are skipped_paused, and turns wait for the curator.',
  'pausing.all.asked-for':
    'While all triggers are paused, Run now and chats of people work, and running turns continue unless they are stopped.',
  'pausing.all.left':
    'While all triggers are paused, no turn starts that a trigger turn created before it ended.',
  'pausing.roles': 'A read-only user can neither pause nor resume.',
  'pausing.all.agents':
    'While all triggers are paused, run_trigger is refused to agents, and fires they requested do not start.',
  'pausing.failures':
    'policy.pauseAfterFailures pauses a trigger after exactly that many consecutive failures.',
  'pausing.failures.kill': 'However the service is killed, no failure is lost or counted twice.',
  'pausing.failures.counts':
    'Failed, timed out, denied, max_turns, no_model and unstartable runs count; cancelled and interrupted ones do not.',
  'pausing.failures.skips':
    'Fires of a paused trigger are skipped_paused, its file does not change, and a restart changes nothing.',
  'pausing.failures.goes-on':
    'An edit, enabled sent as true, a success or the resume route ends the pause of a trigger.',

  'pausing.page':
    'The page shows a banner with author and reason while all triggers are paused, and can resume them.',
  'pausing.page.trigger':
    'The page shows why and since when a trigger is paused, counts it as needing attention, and can resume it.',
  'pausing.page.readers': 'A read-only user sees what is paused and why, and cannot resume it.',
  'pausing.answer':
    'The response to a pause names the replaced pause, the number of servers it applies to, and the server that answered.',
  'pausing.cli':
    'svc pause and svc resume reach the running server; svc_paused on /metrics shows it.',

  'events.archive': 'archive_chat archives a chat, which is recorded as onArchive.',
  'events.on-archive': 'onArchive fires a normal hook agent when a chat is archived.',
  'events.on-archive.each': 'Each onArchive event has one run for each enabled hook.',
  'events.list': 'Events are listed over REST with the runs they started.',
  'events.order': 'Runs of a hook wait for each other, in the order of their events.',
  'events.overlap':
    'With policy.overlap: skip, runs of events are skipped while one is in progress.',
  'events.loops': 'A turn that descends from an event raises no event; a person always does.',
  'events.archive.safe': 'A failing hook does not undo the archiving.',
  'events.unreadable': 'Events use the last good project.yaml, and wait if there is none.',
  'events.cover':
    'Every onArchive event is covered by exactly one run of each hook, and every user turn by exactly one run of the curator.',
  'events.away': 'Events wait up to an hour while their project folder is missing.',
  'events.kill':
    'A kill between archive, dispatch and start neither loses nor doubles a run of an event.',
  'events.after-turn':
    'An afterTurn trigger customizes the curator after a user turn, and is no general hook.',
  'events.after-turn.debounce':
    'The curator waits for a quiet period; one run covers all turns since the last.',
  'events.after-turn.durable': 'A waiting curator runs after a restart.',
  'events.after-turn.now': 'Run now starts a curator once, with the turns that wait for it.',
  'events.server.rest':
    'At the built service an archived chat starts each hook once; its chat shows the allowed tools, the event and its data.',
  'events.server.mcp':
    'A chat archived by a client or by the agent of a schedule starts hooks like one archived by a person.',
  'events.server.curator':
    'At the built service a curator writes its files after a user turn, and its run lists the changes.',
  'events.page': 'The page lists events with the runs they started, and shows the event of a run.',
  'settings.curator-delay':
    'curator.delay is the quiet period before a curator runs: 1s to 24h, 5m by default.',
  'events.after-turn.whose': 'Turns of triggers and agents do not start the curator.',
  'policy.jitter':
    'policy.jitter delays the start of each slot by a constant; the slot keeps its time.',
  'policy.jitter.constant':
    'The delay of policy.jitter depends only on project and name, never exceeds it, and is shown.',
  'limits.cost-per-day':
    'Once the day has cost limits.costPerDayUsd, nothing that costs starts: slots are skipped_limit, people get 409.',
  'limits.cost-per-day.running': 'A turn that exceeds limits.costPerDayUsd ends as failed.',
  'attention.limited':
    'A trigger stopped by a daily limit needs attention: its state has the reason and the first slot after that day.',
  'attention.unready':
    'A trigger whose runtime is not ready, or whose prompt no model can run, needs attention and causes a warning when it is written.',
  'attention.unreadable':
    'A project.yaml that was never readable needs attention, and the log does not claim that its triggers are armed.',
  'limits.cost-per-day.project':
    'Once the day has cost costPerDayUsd of a project, nothing that costs starts in it, including chats.',
  'limits.cost-per-day.trigger':
    'policy.costPerDayUsd stops only its trigger, and counts everything its runs start.',
  'limits.cost-per-day.agent':
    'A trigger set by an agent counts toward the budget of the trigger of that agent, until a person saves it.',
  'limits.cost-per-day.known':
    'A cost limit of a trigger or project is refused on a runtime whose turns have no known cost.',
  'limits.cost-per-day.unknown-cost':
    'Under limits.costPerDayUsd a call of unknown cost ends its turn as failed.',
  'limits.cost-per-day.kill': 'The cost of a turn also counts if the service is killed.',
  'limits.cost-per-day.prices':
    'limits.costPerDayUsd is refused while a runtime reports no cost and has no prices.',
  'policy.agents-start-disabled':
    'With agentTriggersStartDisabled of a project, triggers that an agent creates or enables start disabled, and the response says so.',
};
