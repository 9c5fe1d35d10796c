// Made by packages/rest-surface/scripts/write-contract.mjs from the OpenAPI document: not to be edited by hand.

export interface paths {
    "/api/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview the times of a schedule. Give exactly one of cron and interval. */
        get: operations["preview_schedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/prompt-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the prompt files of a project, at most 1000 each for triggers and legacy schedules. */
        get: operations["list_prompt_files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/prompt-files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a prompt file as a run would read it now. */
        get: operations["read_prompt_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the triggers of a project, and the choices for creating one. */
        get: operations["list_triggers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers/runtime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the armed state and next run of triggers and legacy schedules. Cheap to poll. */
        get: operations["read_trigger_runtime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a trigger. The response can be sent back with PUT. */
        get: operations["read_trigger"];
        /** Create or replace a trigger. If `enabled` is absent, it is false. */
        put: operations["set_trigger"];
        post?: never;
        /** Delete and disarm a trigger. */
        delete: operations["remove_trigger"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a trigger that was paused after failures, and reset its failure count, or an interval trigger that waits because the clock was set back; its interval then counts from now. */
        post: operations["resume_trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fire a trigger now, even if it is disabled. */
        post: operations["run_trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Upcoming runs, earliest first. Triggers that fire more than 48 times a day are only counted. */
        get: operations["list_upcoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/validate-trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Validate a trigger without storing it. With a name, return what storing it would change. */
        post: operations["validate_trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of a project and the runs they started, newest first. */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of a project, newest first. */
        get: operations["list_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One run. */
        get: operations["read_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a queued or running run. */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers/{name}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the changes to a trigger and its file, with author and origin, newest first. */
        get: operations["list_trigger_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers/{name}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of a trigger, newest first, even if it has been removed. */
        get: operations["list_trigger_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/triggers/{name}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain why a trigger did or did not fire at a given time, from the records. */
        get: operations["why_trigger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of all projects, newest first. */
        get: operations["list_all_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a run of any project. */
        get: operations["find_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List chats. */
        get: operations["list_chats"];
        put?: never;
        /** Start a chat with the keeper of a project. */
        post: operations["create_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/chats/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a chat with the newest part of its transcript. */
        get: operations["read_chat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/chats/{sessionId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive a chat. */
        post: operations["archive_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/chats/{sessionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel the running turn of a chat, or else its oldest queued turn. Its run, if any, ends as cancelled. */
        post: operations["cancel_turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/chats/{sessionId}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy a chat; with a prompt, start a turn in the copy. */
        post: operations["fork_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/chats/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message to a chat and start a turn for it. */
        post: operations["send_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/chats/{sessionId}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unarchive a chat. */
        post: operations["unarchive_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projects with the state of their triggers. */
        get: operations["list_projects"];
        put?: never;
        /** Create a project. */
        post: operations["create_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a project. */
        get: operations["read_project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/confirm-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a project.yaml that an agent may have changed, so that it takes effect. Without `etag`, the answer only shows what would take effect. */
        post: operations["confirm_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{slug}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get turns, tokens and cost of a project by day and by trigger. A turn counts on the day it ended. */
        get: operations["read_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an alert of type test to one sink or to all, and return the results. */
        post: operations["test_alerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream changes as server-sent events named project, triggers, run, event and chat. Each names what to fetch again; reset means that events were missed. */
        get: operations["follow_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the newest log lines of the answering process, or those after a given line number. */
        get: operations["read_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the servers that share the database, oldest first. */
        get: operations["list_nodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document. */
        get: operations["read_openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause all triggers: slots and events are recorded as skipped_paused. Run now and chats still work. */
        post: operations["pause_all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume all triggers. Skipped slots will not run later. */
        post: operations["resume_all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the effective settings and their sources, the clients of /mcp and their scopes, and the state of runtimes. */
        get: operations["read_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether all triggers are paused, and the running turns of all projects, longest first. */
        get: operations["read_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the sign-in state and the sign-in mode. Requires no sign-in. */
        get: operations["read_session"];
        put?: never;
        /** Sign in with the access token; sets a cookie. */
        post: operations["sign_in"];
        /** Sign out and invalidate the cookie. */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Preview: {
            upcoming: string[];
            /** @description The schedule in words. */
            description: string;
            /** @description Average. */
            firesPerDay: number;
            /** @description Time zone of the cron expression; null for an interval. */
            timezone: string | null;
        };
        /** @description One error in an input: where it is and how to fix it. */
        Issue: {
            /** @description Dotted path of the field; empty for the whole input. */
            path: string;
            message: string;
            line?: number;
            column?: number;
        };
        /** @description Why a request was refused. */
        Error: {
            /** @description What is wrong and how to fix it, in one sentence. */
            error: string;
            /** @enum {unknown} */
            code: "invalid" | "auth_required" | "forbidden_origin" | "forbidden_host" | "auth_not_configured" | "not_permitted" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "too_many_requests" | "internal" | "run_failed" | "not_runnable" | "unavailable";
            /** @description Every error in the input. */
            issues?: components["schemas"]["Issue"][];
            /**
             * @description For not_found: set if retention removed it, or may have.
             * @constant
             */
            pruned?: true;
        };
        PromptFiles: {
            promptFiles: {
                /**
                 * @description Which entries the folder belongs to.
                 * @enum {unknown}
                 */
                source: "trigger" | "schedule";
                /** @description Path below the folder with `/`, as in `promptFile`. */
                name: string;
                /** @description In bytes. */
                size: number;
                /** @description Names of the entries that use it. */
                usedBy: string[];
            }[];
        };
        PromptFile: {
            /** @enum {unknown} */
            source: "trigger" | "schedule";
            /** @description Path below the folder with `/`, as in `promptFile`. */
            name: string;
            text: string;
        };
        /** @description Connections of the sandboxed processes of a turn, by host and port. */
        RunNetwork: {
            /** @description Connections that were made. */
            reached: {
                /** @description Name or address, without brackets. */
                host: string;
                port: number;
                /** @description Number of connections. */
                count: number;
                /** @description Bytes sent. */
                sent?: number;
                /** @description Bytes received. */
                received?: number;
            }[];
            /** @description Connections that svc refused. */
            refused: {
                /** @description Name or address, without brackets. */
                host: string;
                port: number;
                /** @description Number of connections. */
                count: number;
                /** @description Why, in one sentence. */
                reason: string;
            }[];
            /** @description Connections to hosts that are not listed; absent if all are listed. */
            more?: {
                reached: number;
                refused: number;
            };
        };
        Run: {
            /** @description UUID of the run. */
            id: string;
            /** @description Slug of the project. */
            project: string;
            /**
             * @description Map of project.yaml that contains the entry.
             * @enum {unknown}
             */
            source: "trigger" | "schedule";
            /** @description Name of the trigger or legacy schedule. */
            trigger: string;
            /**
             * @description Why it fired.
             * @enum {unknown}
             */
            cause: "schedule" | "event" | "manual";
            /** @enum {unknown} */
            state: "queued" | "running" | "ended";
            /**
             * Format: date-time
             * @description Its slot; null without a slot.
             */
            scheduledFor: string | null;
            /**
             * Format: date-time
             * @description Last slot of this row.
             */
            scheduledUntil: string | null;
            /** @description Number of slots of this row; 0 without a slot. */
            slotCount: number;
            /**
             * Format: date-time
             * @description When the run was durably recorded.
             */
            claimedAt: string;
            /**
             * Format: date-time
             * @description When its turn started.
             */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** @description Milliseconds from the scheduled start to the start of its turn, or to its claim while it waits; null without a slot. */
            lateMs: number | null;
            /**
             * @description null until it ends.
             * @enum {unknown}
             */
            outcome: "succeeded" | "failed" | "timed_out" | "cancelled" | "interrupted" | "max_turns" | "denied" | "no_model" | "missed" | "skipped_overlap" | "skipped_paused" | "skipped_limit" | null;
            /** @description The outcome in one sentence. */
            reason: string | null;
            /** @description Chat of the run; null if none was started. */
            sessionId: string | null;
            /** @description Turn of the run in that chat, as in `turnId` of messages; null if none was started. */
            turnId: string | null;
            /** @description Number of model calls. */
            turns: number;
            /** @description Number of tool calls. */
            toolCalls: number;
            /** @description Number of failed tool calls, without denied ones; null if unknown. */
            toolErrors: number | null;
            /** @description Denied tool calls. */
            denied: {
                tool: string;
                reason: string;
            }[];
            /**
             * @description `enforced`: every process of its turn ran sandboxed; `none`: processes ran without a sandbox; null: it started no process, or unknown.
             * @enum {unknown}
             */
            sandbox: "enforced" | "none" | null;
            /** @description Connections of its processes; null if not recorded. */
            network: components["schemas"]["RunNetwork"] | null;
            runtime: string | null;
            model: string | null;
            /** @description Sum of its model calls; null if unknown. */
            tokensIn: number | null;
            /** @description Sum of its model calls; null if unknown. */
            tokensOut: number | null;
            /** @description Estimated US dollars; null if unknown. */
            cost: number | null;
            /** @description `user`, `keeper` or `client:<id>` for a manual fire; otherwise null. */
            by: string | null;
            /** @description Name of the person, in sign-in modes that identify people; otherwise null. */
            person: string | null;
            /** @description Whether it catches up a missed slot. */
            catchUp: boolean;
            /** @description The event that started it, the oldest of several; null if none. */
            eventId: string | null;
        };
        RecentRun: {
            /** Format: uuid */
            id: string;
            /** @enum {unknown} */
            state: "queued" | "running" | "ended";
            /**
             * @description null until it ends.
             * @enum {unknown}
             */
            outcome: "succeeded" | "failed" | "timed_out" | "cancelled" | "interrupted" | "max_turns" | "denied" | "no_model" | "missed" | "skipped_overlap" | "skipped_paused" | "skipped_limit" | null;
            /** @description Why it did not succeed, at most 300 characters; null if it succeeded or is running. */
            reason: string | null;
            /**
             * Format: date-time
             * @description Scheduled time; without a slot, the time it was claimed.
             */
            at: string;
        };
        ScheduleFacts: {
            /** @description The schedule in words. */
            description: string;
            /** @description Time zone of the cron expression; null for an interval. */
            timezone: string | null;
            /** @description Average. */
            firesPerDay: number;
        };
        /** @description Usage of a trigger. */
        RunUsage: {
            /** @description Number of turns started. */
            runs: number;
            /** @description null if no turn reported any. */
            tokensIn: number | null;
            /** @description null if no turn reported any. */
            tokensOut: number | null;
            /** @description Estimated US dollars; null if no turn reported any. */
            cost: number | null;
        };
        TriggerUsage: {
            today: components["schemas"]["RunUsage"];
            month: components["schemas"]["RunUsage"];
        };
        /** @description A trigger with its defaults filled in. */
        ListedTrigger: {
            /** @description Key of the trigger in its project. */
            name: string;
            /** @description Label of the agent. */
            agentName: string;
            /** @description When it fires. */
            trigger: {
                /** @constant */
                type: "schedule";
                /** @description Cron expression of five fields, or `@daily` or `@hourly`. */
                cron: string;
                /** @description IANA time zone of a cron expression. */
                timezone?: string;
            } | {
                /** @constant */
                type: "schedule";
                /** @description Duration such as `30m`, `1h` or `1 day`. */
                interval: string;
            } | {
                /** @constant */
                type: "event";
                /** @enum {unknown} */
                on: "onArchive" | "afterTurn";
            } | {
                /** @constant */
                type: "webhook";
            };
            /** @description The prompt and chat of a run. */
            run: {
                /** @description The prompt of the agent. */
                prompt?: string;
                /** @description Markdown file with the prompt, read for each run. */
                promptFile?: string;
                /**
                 * @description new: a new chat for each run. resume: one chat for all runs.
                 * @enum {unknown}
                 */
                session: "new" | "resume";
                /** @description Tools of the agent. Empty: the keeper on a schedule, no tools on an event. */
                tools: string[];
                /** @description Model of the turns. */
                model?: string;
                /** @enum {unknown} */
                permissionMode?: "default" | "acceptEdits" | "bypassPermissions" | "plan";
                /** @description Maximum number of model calls in one run. */
                maxTurns: number;
                /** @description Maximum depth of child turns; 0: none. */
                maxSpawnDepth?: number;
                /** @description Hosts that its turns may connect to, such as `api.github.com`, `*.example.org:443` or `*`; empty: none. Default: those of the project. */
                network?: string[];
                /** @description Maximum duration of one run, from 1s to 7d. */
                timeout?: string;
                /** @description Runtime of the turns. */
                runtime?: string;
            };
            /** @description Whether it is armed. */
            enabled: boolean;
            /** @description Treatment of overlapping runs and missed slots, and limits. */
            policy?: {
                /**
                 * @description What to do with a slot or event while a run is in progress. skip: skip it. queue: one slot waits, later ones are skipped; all events wait. allow: start it in parallel; not with session: resume. Default: skip for a schedule, queue for an event.
                 * @enum {unknown}
                 */
                overlap?: "skip" | "queue" | "allow";
                /**
                 * @description Whether to catch up the newest missed slot.
                 * @enum {unknown}
                 */
                catchUp?: "none" | "latest";
                /** @description Maximum age of a missed slot to catch up. */
                catchUpWindow?: string;
                /** @description Maximum delay of each start, from 1s to 1d, so that triggers with the same schedule do not start together. The delay of a trigger is constant; the slot keeps its time. Schedules only. */
                jitter?: string;
                /** @description Maximum number of runs per day in the time zone of the host, including Run now. */
                firesPerDay?: number;
                /** @description Maximum cost of its runs and all turns they start, per day in the time zone of the host, in US dollars. */
                costPerDayUsd?: number;
                /** @description Number of consecutive failed runs after which it is paused. */
                pauseAfterFailures?: number;
            };
            /** @description The newest run. */
            lastRun: components["schemas"]["Run"] | null;
            /** @description The newest runs, newest first. */
            recentRuns: components["schemas"]["RecentRun"][];
            /** @description null without a schedule. */
            schedule: components["schemas"]["ScheduleFacts"] | null;
            usage: components["schemas"]["TriggerUsage"];
            /** @description The runtime in effect: of the trigger, else of the project, else the default. */
            runtimeInForce: string;
            /** @description Next runs, if armed. */
            upcoming: string[];
            /** @description Entity tag of the trigger, for `If-Match`. */
            etag: string;
            /** @description Why every run would currently fail, in one sentence: unusable prompt file, no model for its prompt, runtime not ready, or limits that the runtime cannot enforce. Absent if there is no problem, or if disabled. */
            problem?: string;
            /** @description Warnings about accepted input; absent if there are none. */
            warnings?: components["schemas"]["Issue"][];
            /** @description Limits that its runtime cannot enforce, which prevent it from firing; absent if none. */
            unheld?: components["schemas"]["Issue"][];
        };
        /** @description An invalid entry or file, and why it is ignored. */
        InvalidEntry: {
            name: string;
            /** @enum {unknown} */
            source: "trigger" | "schedule" | "file";
            /**
             * @description `unreadable`: project.yaml cannot be read; its last valid version stays in effect, and it cannot be changed until it is fixed. `unconfirmed`: the same, because an agent may have changed the file; a person must confirm it.
             * @enum {unknown}
             */
            kind: "invalid" | "unreadable" | "unconfirmed";
            issues: components["schemas"]["Issue"][];
        };
        /** @description An entry of the legacy schedules map; read-only here. */
        LegacySchedule: {
            /** @constant */
            type: "cron";
            /** @description Cron expression of five fields. */
            cron: string;
            /** @description The prompt of the turn. */
            prompt?: string;
            /** @description Markdown file with the prompt, read for each run. */
            promptFile?: string;
            /** @description Whether to use one chat for all runs instead of a new one for each. */
            resume_session: boolean;
            /** @description Whether it is armed. */
            enabled: boolean;
            name: string;
            /** @description The newest run. */
            lastRun: components["schemas"]["Run"] | null;
            /** @description The newest runs, newest first. */
            recentRuns: components["schemas"]["RecentRun"][];
            /** @description null without a schedule. */
            schedule: components["schemas"]["ScheduleFacts"] | null;
            usage: components["schemas"]["TriggerUsage"];
            /** @description The runtime in effect: of the trigger, else of the project, else the default. */
            runtimeInForce: string;
            /** @description Next runs, if armed. */
            upcoming: string[];
            /** @description Why every run would currently fail, in one sentence: unusable prompt file, no model for its prompt, runtime not ready, or limits that the runtime cannot enforce. Absent if there is no problem, or if disabled. */
            problem?: string;
            /** @description Warnings about accepted input; absent if there are none. */
            warnings?: components["schemas"]["Issue"][];
            /** @description Limits that its runtime cannot enforce, which prevent it from firing; absent if none. */
            unheld?: components["schemas"]["Issue"][];
        } | {
            /** @constant */
            type: "interval";
            /** @description Duration such as `30m`. */
            interval: string;
            /** @description The prompt of the turn. */
            prompt?: string;
            /** @description Markdown file with the prompt, read for each run. */
            promptFile?: string;
            /** @description Whether to use one chat for all runs instead of a new one for each. */
            resume_session: boolean;
            /** @description Whether it is armed. */
            enabled: boolean;
            name: string;
            /** @description The newest run. */
            lastRun: components["schemas"]["Run"] | null;
            /** @description The newest runs, newest first. */
            recentRuns: components["schemas"]["RecentRun"][];
            /** @description null without a schedule. */
            schedule: components["schemas"]["ScheduleFacts"] | null;
            usage: components["schemas"]["TriggerUsage"];
            /** @description The runtime in effect: of the trigger, else of the project, else the default. */
            runtimeInForce: string;
            /** @description Next runs, if armed. */
            upcoming: string[];
            /** @description Why every run would currently fail, in one sentence: unusable prompt file, no model for its prompt, runtime not ready, or limits that the runtime cannot enforce. Absent if there is no problem, or if disabled. */
            problem?: string;
            /** @description Warnings about accepted input; absent if there are none. */
            warnings?: components["schemas"]["Issue"][];
            /** @description Limits that its runtime cannot enforce, which prevent it from firing; absent if none. */
            unheld?: components["schemas"]["Issue"][];
        };
        /** @description Choices for creating a trigger. */
        Catalog: {
            grantableTools: string[];
            events: string[];
            triggerTypes: string[];
            tools: {
                name: string;
                group: string;
                description: string;
                dangerous: boolean;
            }[];
        };
        TriggerList: {
            triggers: components["schemas"]["ListedTrigger"][];
            invalid: components["schemas"]["InvalidEntry"][];
            legacySchedules: components["schemas"]["LegacySchedule"][];
            grantableTools: string[];
            events: string[];
            triggerTypes: string[];
            catalog: components["schemas"]["Catalog"];
        };
        TriggerRuntime: {
            runtime: {
                name: string;
                /** @enum {unknown} */
                source: "trigger" | "schedule";
                /** @enum {unknown} */
                type: "schedule" | "event" | "webhook";
                armed: boolean;
                /** Format: date-time */
                nextFire: string | null;
                timezone: string | null;
                running: boolean;
                /** @description Whether it is paused, with all triggers or after failures. */
                paused: boolean;
                /** @description Delay of each start in milliseconds, set by policy.jitter. */
                startDelayMs?: number;
                /** @description Why it is not armed, is paused, or cannot work although armed. */
                reason?: string;
                /** @description Its own pause, since when and why; absent if none. */
                pausedAfterFailures?: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                };
                /** @description Why it needs attention, most urgent first; absent if it does not. */
                attention?: {
                    /**
                     * @description This list may grow.
                     * @enum {unknown}
                     */
                    kind: "unconfirmed" | "unreadable" | "invalid" | "failing" | "paused" | "not_armed" | "unready" | "limited";
                    /** @description One or two sentences. */
                    reason: string;
                }[];
                /** @description Present if a daily limit prevents further starts today; `nextFire` is then the first slot after that. */
                limited?: {
                    /**
                     * @description This list may grow.
                     * @enum {unknown}
                     */
                    limit: "limits.firesPerDay" | "policy.firesPerDay" | "limits.costPerDayUsd" | "costPerDayUsd" | "policy.costPerDayUsd";
                    /**
                     * Format: date-time
                     * @description End of the day in the time zone of the host.
                     */
                    until: string;
                };
                /** @description Present if the clock was set back and slots in the future were already decided. */
                clock?: {
                    /**
                     * Format: date-time
                     * @description The last decided slot.
                     */
                    aheadUntil: string;
                    /**
                     * Format: date-time
                     * @description When it fires again, if its next slots have already run; null if it fires at its next slot.
                     */
                    silentUntil: string | null;
                    /** @description Whether resume_trigger makes it fire sooner. */
                    canResume: boolean;
                    message: string;
                };
                /** @description Present if Node and the host have different data for its time zone. */
                zoneData?: {
                    zone: string;
                    /**
                     * Format: date-time
                     * @description When the two offsets start to differ.
                     */
                    from: string;
                    /** @description Offset in Node, which is used to fire, e.g. +02:00. */
                    offset: string;
                    hostOffset: string;
                    message: string;
                };
            }[];
        };
        /** @description A trigger with its defaults filled in. */
        TriggerAnswer: {
            /** @description Key of the trigger in its project. */
            name: string;
            /** @description Label of the agent. */
            agentName: string;
            /** @description When it fires. */
            trigger: {
                /** @constant */
                type: "schedule";
                /** @description Cron expression of five fields, or `@daily` or `@hourly`. */
                cron: string;
                /** @description IANA time zone of a cron expression. */
                timezone?: string;
            } | {
                /** @constant */
                type: "schedule";
                /** @description Duration such as `30m`, `1h` or `1 day`. */
                interval: string;
            } | {
                /** @constant */
                type: "event";
                /** @enum {unknown} */
                on: "onArchive" | "afterTurn";
            } | {
                /** @constant */
                type: "webhook";
            };
            /** @description The prompt and chat of a run. */
            run: {
                /** @description The prompt of the agent. */
                prompt?: string;
                /** @description Markdown file with the prompt, read for each run. */
                promptFile?: string;
                /**
                 * @description new: a new chat for each run. resume: one chat for all runs.
                 * @enum {unknown}
                 */
                session: "new" | "resume";
                /** @description Tools of the agent. Empty: the keeper on a schedule, no tools on an event. */
                tools: string[];
                /** @description Model of the turns. */
                model?: string;
                /** @enum {unknown} */
                permissionMode?: "default" | "acceptEdits" | "bypassPermissions" | "plan";
                /** @description Maximum number of model calls in one run. */
                maxTurns: number;
                /** @description Maximum depth of child turns; 0: none. */
                maxSpawnDepth?: number;
                /** @description Hosts that its turns may connect to, such as `api.github.com`, `*.example.org:443` or `*`; empty: none. Default: those of the project. */
                network?: string[];
                /** @description Maximum duration of one run, from 1s to 7d. */
                timeout?: string;
                /** @description Runtime of the turns. */
                runtime?: string;
            };
            /** @description Whether it is armed. */
            enabled: boolean;
            /** @description Treatment of overlapping runs and missed slots, and limits. */
            policy?: {
                /**
                 * @description What to do with a slot or event while a run is in progress. skip: skip it. queue: one slot waits, later ones are skipped; all events wait. allow: start it in parallel; not with session: resume. Default: skip for a schedule, queue for an event.
                 * @enum {unknown}
                 */
                overlap?: "skip" | "queue" | "allow";
                /**
                 * @description Whether to catch up the newest missed slot.
                 * @enum {unknown}
                 */
                catchUp?: "none" | "latest";
                /** @description Maximum age of a missed slot to catch up. */
                catchUpWindow?: string;
                /** @description Maximum delay of each start, from 1s to 1d, so that triggers with the same schedule do not start together. The delay of a trigger is constant; the slot keeps its time. Schedules only. */
                jitter?: string;
                /** @description Maximum number of runs per day in the time zone of the host, including Run now. */
                firesPerDay?: number;
                /** @description Maximum cost of its runs and all turns they start, per day in the time zone of the host, in US dollars. */
                costPerDayUsd?: number;
                /** @description Number of consecutive failed runs after which it is paused. */
                pauseAfterFailures?: number;
            };
            /** @description Warnings about accepted input; absent if there are none. */
            warnings?: components["schemas"]["Issue"][];
        };
        /** @description A complete trigger; read-only fields of a response are ignored. */
        TriggerPut: {
            /** @description When it fires. A schedule has exactly one of `cron` and `interval`. */
            trigger: {
                /** @enum {unknown} */
                type: "schedule" | "event" | "webhook";
                cron?: string | null;
                interval?: string | null;
                timezone?: string | null;
                /** @enum {unknown} */
                on?: "onArchive" | "afterTurn" | null;
            };
            /** @description Its prompt: exactly one of `prompt` and `promptFile`. */
            run?: {
                prompt?: string | null;
                promptFile?: string | null;
                /**
                 * @default new
                 * @enum {unknown}
                 */
                session?: "new" | "resume" | null;
                /** @default [] */
                tools?: string[] | null;
                model?: string | null;
                /** @enum {unknown} */
                permissionMode?: "default" | "acceptEdits" | "bypassPermissions" | "plan" | null;
                /** @default 30 */
                maxTurns?: number | null;
                maxSpawnDepth?: number | null;
                network?: string[] | null;
                timeout?: string | null;
                runtime?: string | null;
            } | null;
            /** @default false */
            enabled?: boolean | null;
            policy?: {
                /** @enum {unknown} */
                overlap?: "skip" | "queue" | "allow" | null;
                /**
                 * @default latest
                 * @enum {unknown}
                 */
                catchUp?: "none" | "latest" | null;
                catchUpWindow?: string | null;
                jitter?: string | null;
                firesPerDay?: number | null;
                costPerDayUsd?: number | null;
                pauseAfterFailures?: number | null;
            } | null;
        };
        RemovedTrigger: {
            /** @constant */
            ok: true;
            name: string;
            /** @description false if there was none. */
            removed: boolean;
        };
        ResumedTrigger: {
            /** @description false if it was not paused. */
            resumed: boolean;
            project: string;
            name: string;
        };
        TriggerTrial: {
            /** @description Event data to test an event trigger with: at most 256 KiB and 32 levels of JSON. Default: none. */
            event?: Record<string, never>;
        };
        FiredTrigger: {
            /** @constant */
            ok: true;
            name: string;
            /** Format: uuid */
            sessionId: string;
            /** Format: uuid */
            runId: string;
            /** @description Present if the trigger is paused: why. */
            notice?: string;
        };
        UpcomingFires: {
            fires: {
                trigger: string;
                /** Format: date-time */
                at: string;
            }[];
            /** @description Armed triggers that fire more than 48 times a day; their fires are not listed. */
            frequent: {
                trigger: string;
                /** @description Average. */
                firesPerDay: number;
            }[];
        };
        TriggerEditPreview: {
            /** @description The current project.yaml. */
            before: string;
            /** @description project.yaml as a PUT would write it. */
            after: string;
            /** @description Entity tag of the stored trigger, for `If-Match`; null if there is none. */
            etag: string | null;
        };
        Verdict: {
            valid: boolean;
            issues: components["schemas"]["Issue"][];
            warnings: components["schemas"]["Issue"][];
            /** @description Present with `name`: the change of project.yaml; null if the trigger cannot be stored. */
            edit?: components["schemas"]["TriggerEditPreview"] | null;
        };
        LifecycleEvent: {
            id: string;
            /** @enum {unknown} */
            event: "onArchive" | "afterTurn";
            /** @description The chat of the event. */
            sessionId: string | null;
            /** @description Name of the chat at that time. */
            chat: string;
            /** @description Who archived it; null for the end of a turn. */
            by: string | null;
            /** @description The turn that ended or archived the chat; null if none. */
            turnId: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its runs were determined; null while pending.
             */
            dispatchedAt: string | null;
            /** @description Empty if no trigger listened for it. */
            runs: {
                id: string;
                trigger: string;
                /** @enum {unknown} */
                state: "queued" | "running" | "ended";
                /**
                 * @description null until it ends.
                 * @enum {unknown}
                 */
                outcome: "succeeded" | "failed" | "timed_out" | "cancelled" | "interrupted" | "max_turns" | "denied" | "no_model" | "missed" | "skipped_overlap" | "skipped_paused" | "skipped_limit" | null;
            }[];
        };
        LifecycleEventPage: {
            /** @description Newest first. */
            events: components["schemas"]["LifecycleEvent"][];
            /** @description Pass as `cursor` to get the next page. */
            next: string | null;
        };
        RunPage: {
            /** @description Newest first. */
            runs: components["schemas"]["Run"][];
            /** @description Pass as `cursor` to get the next page. */
            next: string | null;
            /** @description On the last page: older runs removed by retention; null if none. */
            removed: {
                /** @description Number of runs. */
                count: number;
                /**
                 * Format: date-time
                 * @description Claim time of the newest of them.
                 */
                until: string;
            } | null;
        };
        TriggerChange: {
            /** @description UUID of the change. */
            id: string;
            /**
             * Format: date-time
             * @description Time from which it was effective.
             */
            at: string;
            /** @description null for a change to all triggers. */
            project: string | null;
            /**
             * @description null for the whole file.
             * @enum {unknown}
             */
            source: "trigger" | "schedule" | null;
            /** @description Name; null for the whole file and for all triggers. */
            trigger: string | null;
            /** @enum {unknown} */
            kind: "defined" | "changed" | "enabled" | "disabled" | "removed" | "invalid" | "fixed" | "unreadable" | "readable" | "unconfirmed" | "confirmed" | "armed" | "disarmed" | "not_armed" | "paused" | "resumed" | "clock_set_back";
            /** @description Name of a person, `user` if the sign-in mode does not identify people, `client:<id>`, or the label of an agent; null if unknown. */
            by: string | null;
            /** @description Name of the person, in sign-in modes that identify people; otherwise null. */
            person: string | null;
            /** @enum {unknown} */
            via: "page" | "cli" | "rest" | "client" | "agent" | "file" | "service";
            /** @description Chat of the agent that made the change. */
            sessionId: string | null;
            /**
             * Format: date-time
             * @description When `project.yaml` was written, if it is not known who changed it.
             */
            writtenAt: string | null;
            /** @description Reason, in a sentence. */
            reason: string | null;
            fields: {
                /** @description Its path, e.g. trigger.cron. */
                field: string;
                /** @description A prompt as its length and a short hash. null: absent. */
                from: string | null;
                to: string | null;
            }[];
            /** @description The definition from then on; null if there is none. */
            standing: {
                enabled: boolean;
                /** @enum {unknown} */
                type: "schedule" | "event" | "webhook";
                cron: string | null;
                /** @description null: the service time zone. */
                timezone: string | null;
                interval: string | null;
                on: string | null;
                /** @enum {unknown} */
                catchUp: "none" | "latest";
                /** @description Delay of starts. */
                delayMs: number;
            } | null;
            /**
             * Format: date-time
             * @description Anchor of the interval, once armed.
             */
            anchor: string | null;
        };
        TriggerChanges: {
            changes: components["schemas"]["TriggerChange"][];
            next: string | null;
        };
        /** @description The decision about a time, who made it, and the records it is based on. */
        Why: {
            /** Format: date-time */
            at: string;
            /** @enum {unknown} */
            source: "trigger" | "schedule";
            trigger: string;
            /** @enum {unknown} */
            decision: "fired" | "underway" | "missed" | "skipped" | "asked_for" | "event" | "due" | "undecided" | "no_slot" | "off" | "removed" | "invalid" | "not_scheduled" | "not_armed" | "down" | "superseded" | "not_recorded";
            /** @description service, file, or who made the change or requested the run. */
            by: string;
            /** @description Times are in the time zone of the trigger. */
            sentences: string[];
            /**
             * Format: date-time
             * @description The slot in question; null if there was none.
             */
            slot: string | null;
            /**
             * Format: date-time
             * @description Without a slot: the previous slot.
             */
            before: string | null;
            /**
             * Format: date-time
             * @description Without a slot: the next slot.
             */
            after: string | null;
            /** @description The run on record; null if there is none. */
            runId: string | null;
            changes: components["schemas"]["TriggerChange"][];
        };
        AllRunPage: {
            /** @description Newest first. */
            runs: components["schemas"]["Run"][];
            /** @description Pass as `cursor` to get the next page, even if this one is not full. */
            next: string | null;
        };
        Capability: {
            /** @enum {unknown} */
            runsAs: "agent" | "keeper";
            agentName: string | null;
            tools: string[];
            /** @enum {unknown} */
            permissionMode: "default" | "acceptEdits" | "bypassPermissions" | "plan";
            maxTurns: number;
            maxSpawnDepth: number;
            /** @description Hosts that may be connected to, within those of the instance; absent: no further limit. */
            network?: string[];
            /** @description Bounds inherited from clients and budgets; absent if there are none. */
            bounds?: {
                projects: string[];
                denyProjects: string[];
                maxSpawnDepth: number | null;
                /** @description The trigger whose daily budget pays for these turns. */
                budget?: {
                    project: string;
                    trigger: string;
                    costPerDayUsd: number;
                };
            }[];
        };
        Chat: {
            /** @description UUID of the chat. */
            sessionId: string;
            project: string;
            name: string;
            /** @description Label of the agent. */
            agentName: string | null;
            /** @description Who started it; null for schedules and events. */
            by: string | null;
            /** @description Name of the person, in sign-in modes that identify people; otherwise null. */
            person: string | null;
            /** @description Trigger that started it. */
            trigger: string | null;
            runtime: string;
            model: string | null;
            capability: components["schemas"]["Capability"];
            forkedFrom: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            archivedAt: string | null;
            archivedBy: string | null;
            archived: boolean;
            /** @description Whether it has a queued or running turn. */
            running: boolean;
            messageCount: number;
            /** @description Number of older messages removed by retention. */
            prunedMessages: number;
        };
        ChatPage: {
            /** @description Newest first. */
            chats: components["schemas"]["Chat"][];
            /** @description Number of archived chats not included. */
            omittedArchived: number;
            /** @description Pass as `cursor` to get the next page. */
            next: string | null;
        };
        NewChat: {
            /** @description The prompt, in plain text or Markdown. The playbook model uses no AI: its prompts contain steps as fenced blocks that start with ```bash, ```write PATH or ```tool NAME (with JSON arguments). */
            prompt: string;
            /** @description Display name of the chat. Default: derived from the first line of the prompt. */
            name?: string;
            /** @description Model of the turns. Default: the model of the project or source chat. */
            model?: string;
        };
        Message: {
            /** @description Number of the message in the chat, consecutive except where retention removed messages. */
            seq: number;
            turnId: string | null;
            /** @enum {unknown} */
            role: "user" | "assistant" | "tool" | "system";
            /** @enum {unknown} */
            kind: "text" | "tool_use" | "tool_result" | "notice";
            text: string;
            tool: {
                /** @description Links a tool_use to its tool_result. */
                callId: string;
                name: string;
                /** @description Arguments of a tool_use, as JSON. */
                input?: unknown;
                /** @description For a tool_result. */
                isError?: boolean;
            } | null;
            /** @description Who sent it: `user`, `keeper` or `client:<id>`. */
            by: string | null;
            /** Format: date-time */
            timestamp: string;
        };
        ChatWithMessages: {
            /** @description UUID of the chat. */
            sessionId: string;
            project: string;
            name: string;
            /** @description Label of the agent. */
            agentName: string | null;
            /** @description Who started it; null for schedules and events. */
            by: string | null;
            /** @description Name of the person, in sign-in modes that identify people; otherwise null. */
            person: string | null;
            /** @description Trigger that started it. */
            trigger: string | null;
            runtime: string;
            model: string | null;
            capability: components["schemas"]["Capability"];
            forkedFrom: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            archivedAt: string | null;
            archivedBy: string | null;
            archived: boolean;
            /** @description Whether it has a queued or running turn. */
            running: boolean;
            messageCount: number;
            /** @description Number of older messages removed by retention. */
            prunedMessages: number;
            /** @description The newest messages, or the requested ones, oldest first. */
            messages: components["schemas"]["Message"][];
            /** @description Pass as `cursor` to get earlier messages, or as `after` to get later ones. */
            next: string | null;
        };
        ArchivedChat: {
            archived: boolean;
            project: string;
            /** Format: uuid */
            sessionId: string;
        };
        CancelledTurn: {
            project: string;
            /** Format: uuid */
            sessionId: string;
            /** Format: uuid */
            turnId: string;
            /**
             * Format: uuid
             * @description The run of this turn; null for a turn started in a chat.
             */
            runId: string | null;
        };
        /** @description Without a prompt, the copy waits for its first message. */
        Fork: {
            /** @description The prompt, in plain text or Markdown. The playbook model uses no AI: its prompts contain steps as fenced blocks that start with ```bash, ```write PATH or ```tool NAME (with JSON arguments). */
            prompt?: string;
            /** @description Name of the copy. Default: name of the source with "(fork)". */
            name?: string;
            /** @description Model of the turns. Default: the model of the project or source chat. */
            model?: string;
        };
        NewMessage: {
            /** @description The prompt, in plain text or Markdown. The playbook model uses no AI: its prompts contain steps as fenced blocks that start with ```bash, ```write PATH or ```tool NAME (with JSON arguments). */
            prompt: string;
        };
        SentMessage: {
            /** @constant */
            sent: true;
            project: string;
            /** Format: uuid */
            sessionId: string;
            prompt: string;
        };
        /** @description Number of triggers and legacy schedules that need attention. */
        ProjectHealth: {
            /** @description Entries of `triggers`, valid or not. */
            total: number;
            /** @description Triggers that need attention, each counted once: invalid, paused, or enabled and failing, not armed, unready or limited. */
            needYou: number;
            /** @description Legacy schedules that need attention. */
            legacyNeedYou: number;
            /** @description Enabled, and the newest turn failed. Missed and skipped slots are ignored. */
            failing: number;
            /** @description Invalid entries, plus one for a file that cannot be read. */
            invalid: number;
            paused: number;
            /** @description Enabled, but every run would currently fail: see `problem` of the entry. */
            unready: number;
            /** @description Enabled, but stopped for today by a daily limit. */
            limited: number;
            /** @description Enabled, but waiting because the clock was set back: see `clock` of the state. */
            silent: number;
            /** @description With a running turn. */
            running: number;
            /** @description Enabled, and a slot was missed in the last 24 hours. */
            missed24h: number;
            armed: number;
            /** Format: date-time */
            nextFire: string | null;
        };
        ProjectWithHealth: {
            slug: string;
            name: string;
            summary: string | null;
            area: string | null;
            status: string | null;
            repo: string | null;
            /** @description The keeper settings of project.yaml; null means the default of the service. */
            keeper: {
                runtime: string | null;
                model: string | null;
                /** @enum {unknown} */
                permissionMode: "default" | "acceptEdits" | "bypassPermissions" | "plan" | null;
            };
            triggerCount: number;
            /** @description Why project.yaml cannot be read. */
            faults: components["schemas"]["Issue"][];
            health: components["schemas"]["ProjectHealth"];
            /** @description Id of the server that owns it; null on a single server. */
            node: string | null;
        };
        ProjectList: {
            projects: components["schemas"]["ProjectWithHealth"][];
        };
        NewProject: {
            /** @description Display name. */
            name: string;
            /** @description Folder name: letters, digits, dots, _ and -. Default: the name in kebab-case, with a number if that is taken. */
            slug?: string;
            /** @description Purpose of the project, in one sentence. */
            summary?: string;
            /** @description Area, for grouping. */
            area?: string;
            /**
             * @description Default: active.
             * @enum {unknown}
             */
            status?: "idea" | "active" | "paused" | "blocked" | "done" | "abandoned";
            /** @description Git repository to clone: https://host/path, ssh://host/path or user@host:path, without a password. Only for people, and for clients with all projects, set_trigger and no maxSpawnDepth. */
            repo?: string;
        };
        CreatedProject: {
            slug: string;
            name: string;
            summary: string | null;
            area: string | null;
            status: string | null;
            repo: string | null;
            /** @description The keeper settings of project.yaml; null means the default of the service. */
            keeper: {
                runtime: string | null;
                model: string | null;
                /** @enum {unknown} */
                permissionMode: "default" | "acceptEdits" | "bypassPermissions" | "plan" | null;
            };
            triggerCount: number;
            /** @description Why project.yaml cannot be read. */
            faults: components["schemas"]["Issue"][];
            /** @description Warnings about accepted input; absent if there are none. */
            warnings?: components["schemas"]["Issue"][];
        };
        Project: {
            slug: string;
            name: string;
            summary: string | null;
            area: string | null;
            status: string | null;
            repo: string | null;
            /** @description The keeper settings of project.yaml; null means the default of the service. */
            keeper: {
                runtime: string | null;
                model: string | null;
                /** @enum {unknown} */
                permissionMode: "default" | "acceptEdits" | "bypassPermissions" | "plan" | null;
            };
            triggerCount: number;
            /** @description Why project.yaml cannot be read. */
            faults: components["schemas"]["Issue"][];
        };
        ConfirmFile: {
            /** @description The `etag` of the answer that was checked. The file takes effect only if it is still the same. */
            etag?: string;
        };
        FileConfirmation: {
            /** @description Whether `current` is in effect now. */
            confirmed: boolean;
            /** @description Identifies `current`. */
            etag: string;
            /** @description The project.yaml that was in effect; null if there was none. */
            inEffect: string | null;
            /** @description The project.yaml in the project folder. */
            current: string;
        };
        /** @description Usage of these projects today, in the time zone of the host. */
        UsageSum: {
            /** @description Number of turns fired by triggers. */
            runs: number;
            /** @description Number of turns started by people, clients and agents. */
            chatTurns: number;
            /** @description null if no turn reported any. */
            tokensIn: number | null;
            /** @description null if no turn reported any. */
            tokensOut: number | null;
            /** @description Estimated US dollars; null if no turn reported any. */
            cost: number | null;
        };
        ProjectUsage: {
            /** @description Time zone of the host, which defines the days. */
            timezone: string;
            /** @description Every day, earliest first. */
            days: {
                /** Format: date */
                day: string;
                /** @description Number of turns fired by triggers. */
                runs: number;
                /** @description Number of turns started by people, clients and agents. */
                chatTurns: number;
                /** @description null if no turn reported any. */
                tokensIn: number | null;
                /** @description null if no turn reported any. */
                tokensOut: number | null;
                /** @description Estimated US dollars; null if no turn reported any. */
                cost: number | null;
            }[];
            total: components["schemas"]["UsageSum"];
            /** @description Usage of each trigger in these days, most turns first. */
            triggers: {
                /** @enum {unknown} */
                source: "trigger" | "schedule";
                name: string;
                /** @description Number of turns fired by triggers. */
                runs: number;
                /** @description Number of turns started by people, clients and agents. */
                chatTurns: number;
                /** @description null if no turn reported any. */
                tokensIn: number | null;
                /** @description null if no turn reported any. */
                tokensOut: number | null;
                /** @description Estimated US dollars; null if no turn reported any. */
                cost: number | null;
            }[];
        };
        AlertTest: {
            /** @description Name of a sink. Default: all. */
            sink?: string;
        };
        TestedAlerts: {
            tried: {
                sink: string;
                /** Format: date-time */
                at: string;
                ok: boolean;
                error: string | null;
            }[];
        };
        LogPage: {
            /** @description Oldest first. */
            lines: Record<string, never>[];
            /** @description Pass as `after` to get later lines. */
            last: number;
            /** @description Number of lines after `after` that are no longer kept. */
            dropped: number;
            /** @description Id of the process that logged them. */
            node: string;
        };
        ServiceNode: {
            id: string;
            /** @description Host name. */
            host: string;
            version: string;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description Time of its last heartbeat.
             */
            heartbeatAt: string;
            /** @description Number of running turns. */
            running: number;
        };
        ServiceNodes: {
            nodes: components["schemas"]["ServiceNode"][];
        };
        PauseWish: {
            /** @description Reason, in one line, visible to all users. Default: none. */
            reason?: string;
            /** @description Whether to cancel running turns of triggers. Default: false. */
            stopRunning?: boolean;
        };
        /** @description The pause of all triggers: since when, by whom and why. */
        PausedAll: {
            /** @description Name of the person; `user` if users are not identified. */
            by: string;
            /** Format: date-time */
            at: string;
            reason: string | null;
        };
        PausedNow: {
            paused: components["schemas"]["PausedAll"];
            /** @description The pause that was replaced; null if there was none. */
            replaced: components["schemas"]["PausedAll"] | null;
            /** @description Number of servers it applies to. */
            servers: number;
            /** @description Id of the server that answered. */
            answeredBy: string;
            /** @description Number of trigger turns being cancelled. */
            stopped: number;
        };
        ResumedAll: {
            paused: null;
        };
        RuntimeReadiness: {
            id: string;
            isDefault: boolean;
            ready: boolean;
            /** @description Why it is not ready, and how to fix it. */
            reason: string | null;
            /** @description Which limits it enforces, and how. */
            holds: {
                /** @description Its tools. */
                tools: string[];
                /** @enum {unknown} */
                toolAllowList: "enforced" | "asked" | "none";
                /** @enum {unknown} */
                maxTurns: "exact" | "approximate" | "none";
                /**
                 * @description Which tools a list of hosts limits.
                 * @enum {unknown}
                 */
                network: "all" | "except-bash" | "none";
                permissionModes: ("default" | "acceptEdits" | "bypassPermissions" | "plan")[];
                resume: boolean;
                fork: boolean;
                /** @enum {unknown} */
                svcManage: "in-process" | "http" | "none";
                /** @enum {unknown} */
                cost: "estimate" | "tokens" | "none";
            };
            /** @description Result of the sandbox self-test; none if there is no self-test. */
            fence: {
                /** @enum {unknown} */
                verdict: "none" | "untested" | "holds" | "fails";
                reason: string | null;
            };
        };
        AlertTry: {
            /** Format: date-time */
            at: string;
            ok: boolean;
            error: string | null;
        };
        /** @description Alert sinks, their settings and delivery state. */
        Alerts: {
            sinks: {
                id: string;
                /** @enum {unknown} */
                kind: "webhook" | "command";
                /** @description Origin of the URL, or the program. */
                to: string;
                on: string[];
                threshold: number;
                cooldown: string;
                /** @description Why it cannot be used, and how to fix it. */
                problem: string | null;
                /** @description Result of the newest attempt; null before the first. */
                lastTry: components["schemas"]["AlertTry"] | null;
                /** @description Alerts pending for this sink. */
                waiting: number;
                /** @description Alerts of the last 30 days that were given up. */
                givenUp: number;
            }[];
            /** @description URL that is pinged after successful runs. */
            heartbeat: {
                to: string;
                every: string;
                /** @description Result of the newest attempt; null before the first. */
                lastTry: components["schemas"]["AlertTry"] | null;
            } | null;
        };
        EffectiveSettings: {
            /** @description By name in svc.config.yaml. */
            settings: {
                [key: string]: {
                    /** @description As written in the file; never a secret. */
                    value: string | number | boolean | null | string[];
                    /** @enum {unknown} */
                    source: "default" | "file" | "environment" | "flag";
                };
            };
            clients: {
                clientId: string;
                scope: {
                    projects: string[];
                    allow: string[];
                    deny: string[];
                    denyProjects: string[];
                    maxSpawnDepth: number | null;
                };
            }[];
            runtimes: components["schemas"]["RuntimeReadiness"][];
            alerts: components["schemas"]["Alerts"];
        };
        ServerPlace: {
            /** @description Id of the server. */
            node: string;
            /** @description Its address; null if not yet known. */
            url: string | null;
            /** @description Its home; null if not yet known. */
            home: string | null;
            /** @description Number of these projects it owns. */
            projects: number;
        };
        GoneServer: {
            id: string;
            host: string;
            version: string;
            url: string | null;
            home: string | null;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description Its last heartbeat.
             */
            heartbeatAt: string;
            /**
             * Format: date-time
             * @description When it stopped, or was evicted and its projects were taken over.
             */
            goneAt: string;
            /**
             * @description `stopped`: it shut down; `lost`: it was killed, suspended or disconnected.
             * @enum {unknown}
             */
            how: "stopped" | "lost";
            /** @description Number of projects it owned when others took over; null if unknown. */
            projects: number | null;
        };
        Status: {
            /** @description Version of svc. */
            version: string;
            paused: components["schemas"]["PausedAll"] | null;
            /** @description Servers, oldest first. */
            nodes: components["schemas"]["ServiceNode"][];
            /** @description Addresses of servers that share the database, in the same order; empty for a single server. */
            places: components["schemas"]["ServerPlace"][];
            /** @description Servers that stopped or were lost in the last day, newest first. */
            gone: components["schemas"]["GoneServer"][];
            /** @description Settings that differ between servers but must match, one sentence each. */
            differences: string[];
            /** @description Id of the server that answered. */
            answeredBy: string;
            running: {
                /** Format: uuid */
                turnId: string;
                project: string;
                /** Format: uuid */
                sessionId: string;
                /** @description Name of the chat. */
                chat: string;
                /** Format: uuid */
                runId: string | null;
                /** @description Trigger of the run; null for a turn started in a chat. */
                trigger: string | null;
                /** Format: date-time */
                startedAt: string;
                /** @description Id of the server that runs it. */
                node: string | null;
            }[];
            usageToday: components["schemas"]["UsageSum"];
            /** @description Cost of all turns today in US dollars, and limits.costPerDayUsd; null without that limit. */
            costPerDay: {
                spent: number;
                limit: number;
            } | null;
            alerts: {
                /** @description Sinks or heartbeat that do not work, and why. */
                failing: {
                    sink: string;
                    error: string;
                }[];
                /** @description Pending alerts. */
                waiting: number;
            };
            /** @description Time zone of this server for triggers without their own. */
            timezone: {
                /** @description IANA name. */
                name: string;
                /** @description What is wrong with the configured time zone and how to fix it; null if nothing. */
                warning: string | null;
            };
            /** @description Triggers, legacy schedules and files that need attention. */
            attention: {
                /** @description Total number. */
                total: number;
                /** @description The first 100, by project and order in its file. */
                entries: {
                    project: string;
                    /** @enum {unknown} */
                    source: "trigger" | "schedule" | "file";
                    name: string;
                    /**
                     * @description This list may grow.
                     * @enum {unknown}
                     */
                    kind: "unconfirmed" | "unreadable" | "invalid" | "failing" | "paused" | "not_armed" | "unready" | "limited";
                    /** @description One or two sentences. */
                    reason: string;
                }[];
            };
            /** @description Why agents run without a sandbox, cannot start in a required one, or run in one whose network is not limited; null if they are sandboxed. */
            sandboxLack: {
                /** @description What is missing and how to add it. */
                reason: string;
                /** @description Whether the settings ask for it. */
                intended: boolean;
                /** @description Whether turns that need a sandbox fail: `agents.sandbox.mode` is `required`, but no sandbox is available. */
                required: boolean;
            } | null;
            /** @description System limit that prevents watching some project folders; null if all are watched. */
            limitedWatch: {
                /** @description Which limit is reached and how to raise it. */
                reason: string;
                /** @description Number of projects that are polled instead of watched. */
                projects: number;
                /** @description Maximum time until an edit is detected. */
                seconds: number;
            } | null;
        };
        /** @description The signed-in caller. */
        Session: {
            /**
             * @description The setting auth.mode. `token` has a sign-in form; `unset` accepts connections from this machine only.
             * @enum {unknown}
             */
            mode: "unset" | "none" | "token" | "trusted-header" | "jwt";
            signedIn: boolean;
            /** @description null if the sign-in mode does not identify people. */
            user: string | null;
            /**
             * @description null: not signed in, or no valid role.
             * @enum {unknown}
             */
            role: "read" | "write" | null;
        };
        SignIn: {
            /** @description The access token. */
            token: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    preview_schedule: {
        parameters: {
            query?: {
                /**
                 * @description Cron expression of five fields, or a macro.
                 * @example 0 3 * * *
                 */
                cron?: string;
                /** @description Duration such as 30m. */
                interval?: string;
                /**
                 * @description IANA name, for cron only.
                 * @example Europe/Berlin
                 */
                timezone?: string;
                count?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "upcoming": [
                     *         "2026-03-03T03:00:00.000Z"
                     *       ],
                     *       "description": "At 03:00, every day.",
                     *       "firesPerDay": 1,
                     *       "timezone": "Europe/Berlin"
                     *     }
                     */
                    "application/json": components["schemas"]["Preview"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_prompt_files: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "promptFiles": [
                     *         {
                     *           "source": "trigger",
                     *           "name": "report.md",
                     *           "size": 812,
                     *           "usedBy": [
                     *             "nightly"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PromptFiles"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_prompt_file: {
        parameters: {
            query?: {
                /** @description Whether it belongs to triggers or to legacy schedules. */
                source?: "trigger" | "schedule";
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the prompt file, with its slashes as %2F.
                 * @example report.md
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "source": "trigger",
                     *       "name": "report.md",
                     *       "text": "Write the report.\n"
                     *     }
                     */
                    "application/json": components["schemas"]["PromptFile"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_triggers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "triggers": [
                     *         {
                     *           "name": "nightly",
                     *           "agentName": "trigger-handbook-nightly",
                     *           "trigger": {
                     *             "type": "schedule",
                     *             "cron": "0 3 * * *",
                     *             "timezone": "Europe/Berlin"
                     *           },
                     *           "run": {
                     *             "prompt": "Check the links of the handbook and fix the broken ones.",
                     *             "session": "new",
                     *             "tools": [
                     *               "Read",
                     *               "Edit",
                     *               "WebFetch"
                     *             ],
                     *             "maxTurns": 30
                     *           },
                     *           "enabled": true,
                     *           "lastRun": {
                     *             "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *             "project": "handbook",
                     *             "source": "trigger",
                     *             "trigger": "nightly",
                     *             "cause": "schedule",
                     *             "state": "ended",
                     *             "scheduledFor": "2026-03-02T03:00:00.000Z",
                     *             "scheduledUntil": "2026-03-02T03:00:00.000Z",
                     *             "slotCount": 1,
                     *             "claimedAt": "2026-03-02T03:00:00.000Z",
                     *             "startedAt": "2026-03-02T03:00:00.000Z",
                     *             "endedAt": "2026-03-02T03:00:41.000Z",
                     *             "lateMs": 3,
                     *             "outcome": "succeeded",
                     *             "reason": null,
                     *             "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *             "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *             "turns": 4,
                     *             "toolCalls": 3,
                     *             "toolErrors": 0,
                     *             "denied": [],
                     *             "sandbox": "enforced",
                     *             "network": {
                     *               "reached": [
                     *                 {
                     *                   "host": "handbook.example.com",
                     *                   "port": 443,
                     *                   "count": 3
                     *                 }
                     *               ],
                     *               "refused": [
                     *                 {
                     *                   "host": "packages.example.com",
                     *                   "port": 443,
                     *                   "count": 1,
                     *                   "reason": "The host is not in the list of allowed hosts."
                     *                 }
                     *               ]
                     *             },
                     *             "runtime": "native",
                     *             "model": "playbook",
                     *             "tokensIn": null,
                     *             "tokensOut": null,
                     *             "cost": null,
                     *             "by": null,
                     *             "person": null,
                     *             "catchUp": false,
                     *             "eventId": null
                     *           },
                     *           "recentRuns": [
                     *             {
                     *               "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *               "state": "ended",
                     *               "outcome": "succeeded",
                     *               "reason": null,
                     *               "at": "2026-03-02T03:00:00.000Z"
                     *             }
                     *           ],
                     *           "upcoming": [
                     *             "2026-03-03T03:00:00.000Z"
                     *           ],
                     *           "usage": {
                     *             "today": {
                     *               "runs": 1,
                     *               "tokensIn": 5210,
                     *               "tokensOut": 840,
                     *               "cost": 0.0211
                     *             },
                     *             "month": {
                     *               "runs": 22,
                     *               "tokensIn": 5210,
                     *               "tokensOut": 840,
                     *               "cost": 0.0211
                     *             }
                     *           },
                     *           "runtimeInForce": "native",
                     *           "schedule": {
                     *             "description": "At 03:00 every day",
                     *             "timezone": "Europe/Berlin",
                     *             "firesPerDay": 1
                     *           },
                     *           "etag": "\"m1l5bVxXJq8Qn2rUe0Kz4w\""
                     *         }
                     *       ],
                     *       "invalid": [],
                     *       "legacySchedules": [],
                     *       "grantableTools": [
                     *         "Read",
                     *         "Glob",
                     *         "Grep",
                     *         "Edit",
                     *         "Write",
                     *         "NotebookEdit",
                     *         "Bash",
                     *         "WebFetch",
                     *         "WebSearch",
                     *         "Task",
                     *         "mcp__svc_manage__list_projects",
                     *         "mcp__svc_manage__list_chats",
                     *         "mcp__svc_manage__read_chat",
                     *         "mcp__svc_manage__create_project",
                     *         "mcp__svc_manage__create_chat",
                     *         "mcp__svc_manage__fork_chat",
                     *         "mcp__svc_manage__send_message",
                     *         "mcp__svc_manage__fork_chat_batch",
                     *         "mcp__svc_manage__archive_chat",
                     *         "mcp__svc_manage__unarchive_chat",
                     *         "mcp__svc_manage__list_triggers",
                     *         "mcp__svc_manage__set_trigger",
                     *         "mcp__svc_manage__remove_trigger",
                     *         "mcp__svc_manage__run_trigger"
                     *       ],
                     *       "events": [
                     *         "onArchive",
                     *         "afterTurn"
                     *       ],
                     *       "triggerTypes": [
                     *         "schedule",
                     *         "event",
                     *         "webhook"
                     *       ],
                     *       "catalog": {
                     *         "grantableTools": [
                     *           "Read",
                     *           "Glob",
                     *           "Grep",
                     *           "Edit",
                     *           "Write",
                     *           "NotebookEdit",
                     *           "Bash",
                     *           "WebFetch",
                     *           "WebSearch",
                     *           "Task",
                     *           "mcp__svc_manage__list_projects",
                     *           "mcp__svc_manage__list_chats",
                     *           "mcp__svc_manage__read_chat",
                     *           "mcp__svc_manage__create_project",
                     *           "mcp__svc_manage__create_chat",
                     *           "mcp__svc_manage__fork_chat",
                     *           "mcp__svc_manage__send_message",
                     *           "mcp__svc_manage__fork_chat_batch",
                     *           "mcp__svc_manage__archive_chat",
                     *           "mcp__svc_manage__unarchive_chat",
                     *           "mcp__svc_manage__list_triggers",
                     *           "mcp__svc_manage__set_trigger",
                     *           "mcp__svc_manage__remove_trigger",
                     *           "mcp__svc_manage__run_trigger"
                     *         ],
                     *         "events": [
                     *           "onArchive",
                     *           "afterTurn"
                     *         ],
                     *         "triggerTypes": [
                     *           "schedule",
                     *           "event",
                     *           "webhook"
                     *         ],
                     *         "tools": [
                     *           {
                     *             "name": "Read",
                     *             "group": "files",
                     *             "description": "Read a file in the project folder.",
                     *             "dangerous": false
                     *           },
                     *           {
                     *             "name": "Glob",
                     *             "group": "files",
                     *             "description": "Find files by name pattern.",
                     *             "dangerous": false
                     *           },
                     *           {
                     *             "name": "Grep",
                     *             "group": "files",
                     *             "description": "Search file contents.",
                     *             "dangerous": false
                     *           },
                     *           {
                     *             "name": "Edit",
                     *             "group": "files",
                     *             "description": "Replace text in a file.",
                     *             "dangerous": true
                     *           },
                     *           {
                     *             "name": "Write",
                     *             "group": "files",
                     *             "description": "Create or overwrite a file.",
                     *             "dangerous": true
                     *           },
                     *           {
                     *             "name": "NotebookEdit",
                     *             "group": "files",
                     *             "description": "Edit a notebook cell.",
                     *             "dangerous": true
                     *           },
                     *           {
                     *             "name": "Bash",
                     *             "group": "shell",
                     *             "description": "Run shell commands. Confined only if agents run in a sandbox.",
                     *             "dangerous": true
                     *           },
                     *           {
                     *             "name": "WebFetch",
                     *             "group": "web",
                     *             "description": "Fetch a public web page.",
                     *             "dangerous": true
                     *           },
                     *           {
                     *             "name": "WebSearch",
                     *             "group": "web",
                     *             "description": "Search the web.",
                     *             "dangerous": true
                     *           },
                     *           {
                     *             "name": "Task",
                     *             "group": "agents",
                     *             "description": "Start a child turn.",
                     *             "dangerous": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TriggerList"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_trigger_runtime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runtime": [
                     *         {
                     *           "name": "nightly",
                     *           "source": "trigger",
                     *           "type": "schedule",
                     *           "armed": true,
                     *           "nextFire": "2026-03-03T03:00:00.000Z",
                     *           "timezone": "Europe/Berlin",
                     *           "running": false,
                     *           "paused": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TriggerRuntime"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_trigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags: if one of them is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Entity tag. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "nightly",
                     *       "agentName": "trigger-handbook-nightly",
                     *       "trigger": {
                     *         "type": "schedule",
                     *         "cron": "0 3 * * *",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "run": {
                     *         "prompt": "Check the links of the handbook and fix the broken ones.",
                     *         "session": "new",
                     *         "tools": [
                     *           "Read",
                     *           "Edit",
                     *           "WebFetch"
                     *         ],
                     *         "maxTurns": 30
                     *       },
                     *       "enabled": true
                     *     }
                     */
                    "application/json": components["schemas"]["TriggerAnswer"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_trigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags: change the trigger only if it has one of them; * matches any. */
                "If-Match"?: string;
                /** @description *: write the trigger only if it does not exist. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trigger": {
                 *         "type": "schedule",
                 *         "cron": "0 3 * * *",
                 *         "timezone": "Europe/Berlin"
                 *       },
                 *       "run": {
                 *         "prompt": "Check the links of the handbook and fix the broken ones.",
                 *         "session": "new",
                 *         "tools": [
                 *           "Read",
                 *           "Edit",
                 *           "WebFetch"
                 *         ],
                 *         "maxTurns": 30
                 *       },
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["TriggerPut"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Entity tag. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "nightly",
                     *       "agentName": "trigger-handbook-nightly",
                     *       "trigger": {
                     *         "type": "schedule",
                     *         "cron": "0 3 * * *",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "run": {
                     *         "prompt": "Check the links of the handbook and fix the broken ones.",
                     *         "session": "new",
                     *         "tools": [
                     *           "Read",
                     *           "Edit",
                     *           "WebFetch"
                     *         ],
                     *         "maxTurns": 30
                     *       },
                     *       "enabled": true
                     *     }
                     */
                    "application/json": components["schemas"]["TriggerAnswer"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: precondition_failed. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    remove_trigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags: change the trigger only if it has one of them; * matches any. */
                "If-Match"?: string;
                /** @description *: write the trigger only if it does not exist. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "name": "nightly",
                     *       "removed": true
                     *     }
                     */
                    "application/json": components["schemas"]["RemovedTrigger"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: precondition_failed. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resume_trigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resumed": true,
                     *       "project": "handbook",
                     *       "name": "nightly"
                     *     }
                     */
                    "application/json": components["schemas"]["ResumedTrigger"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    run_trigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event": {
                 *         "chat": {
                 *           "name": "Fix the door",
                 *           "messages": 4
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TriggerTrial"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "name": "nightly",
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "runId": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01"
                     *     }
                     */
                    "application/json": components["schemas"]["FiredTrigger"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: run_failed or not_runnable. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_upcoming: {
        parameters: {
            query?: {
                hours?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "fires": [
                     *         {
                     *           "trigger": "nightly",
                     *           "at": "2026-03-03T03:00:00.000Z"
                     *         }
                     *       ],
                     *       "frequent": [
                     *         {
                     *           "trigger": "heartbeat",
                     *           "firesPerDay": 2880
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UpcomingFires"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    validate_trigger: {
        parameters: {
            query?: {
                /** @description Name of the trigger: `edit` then shows what storing it would change. */
                name?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trigger": {
                 *         "type": "schedule",
                 *         "cron": "0 3 * *"
                 *       },
                 *       "run": {
                 *         "prompt": "Check the links of the handbook and fix the broken ones.",
                 *         "session": "new",
                 *         "tools": [
                 *           "Read",
                 *           "Edit",
                 *           "WebFetch"
                 *         ],
                 *         "maxTurns": 30
                 *       },
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["TriggerPut"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": false,
                     *       "issues": [
                     *         {
                     *           "path": "trigger.cron",
                     *           "message": "must have five fields: it has 4."
                     *         }
                     *       ],
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Verdict"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description Only events of this kind. */
                event?: "onArchive" | "afterTurn";
                /** @description Only these events, by id. */
                id?: string[];
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "01990c2e-79f0-7a11-9c3e-5b7d02e4a8f6",
                     *           "event": "onArchive",
                     *           "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *           "chat": "Release notes",
                     *           "by": "user",
                     *           "turnId": null,
                     *           "createdAt": "2026-03-02T03:00:00.000Z",
                     *           "dispatchedAt": "2026-03-02T03:00:00.000Z",
                     *           "runs": [
                     *             {
                     *               "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *               "trigger": "on-archive",
                     *               "state": "ended",
                     *               "outcome": "succeeded"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["LifecycleEventPage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_runs: {
        parameters: {
            query?: {
                /** @description Name of a trigger or legacy schedule. */
                trigger?: string;
                /** @description Only runs with one of these outcomes, e.g. failed,timed_out. */
                outcome?: ("succeeded" | "failed" | "timed_out" | "cancelled" | "interrupted" | "max_turns" | "denied" | "no_model" | "missed" | "skipped_overlap" | "skipped_paused" | "skipped_limit")[];
                /** @description Only runs claimed at or after this time. */
                from?: string;
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *           "project": "handbook",
                     *           "source": "trigger",
                     *           "trigger": "nightly",
                     *           "cause": "schedule",
                     *           "state": "ended",
                     *           "scheduledFor": "2026-03-02T03:00:00.000Z",
                     *           "scheduledUntil": "2026-03-02T03:00:00.000Z",
                     *           "slotCount": 1,
                     *           "claimedAt": "2026-03-02T03:00:00.000Z",
                     *           "startedAt": "2026-03-02T03:00:00.000Z",
                     *           "endedAt": "2026-03-02T03:00:41.000Z",
                     *           "lateMs": 3,
                     *           "outcome": "succeeded",
                     *           "reason": null,
                     *           "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *           "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *           "turns": 4,
                     *           "toolCalls": 3,
                     *           "toolErrors": 0,
                     *           "denied": [],
                     *           "sandbox": "enforced",
                     *           "network": {
                     *             "reached": [
                     *               {
                     *                 "host": "handbook.example.com",
                     *                 "port": 443,
                     *                 "count": 3
                     *               }
                     *             ],
                     *             "refused": [
                     *               {
                     *                 "host": "packages.example.com",
                     *                 "port": 443,
                     *                 "count": 1,
                     *                 "reason": "The host is not in the list of allowed hosts."
                     *               }
                     *             ]
                     *           },
                     *           "runtime": "native",
                     *           "model": "playbook",
                     *           "tokensIn": null,
                     *           "tokensOut": null,
                     *           "cost": null,
                     *           "by": null,
                     *           "person": null,
                     *           "catchUp": false,
                     *           "eventId": null
                     *         }
                     *       ],
                     *       "next": null,
                     *       "removed": {
                     *         "count": 1200,
                     *         "until": "2026-03-02T03:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Id of the run.
                 * @example 01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01
                 */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *       "project": "handbook",
                     *       "source": "trigger",
                     *       "trigger": "nightly",
                     *       "cause": "schedule",
                     *       "state": "ended",
                     *       "scheduledFor": "2026-03-02T03:00:00.000Z",
                     *       "scheduledUntil": "2026-03-02T03:00:00.000Z",
                     *       "slotCount": 1,
                     *       "claimedAt": "2026-03-02T03:00:00.000Z",
                     *       "startedAt": "2026-03-02T03:00:00.000Z",
                     *       "endedAt": "2026-03-02T03:00:41.000Z",
                     *       "lateMs": 3,
                     *       "outcome": "succeeded",
                     *       "reason": null,
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *       "turns": 4,
                     *       "toolCalls": 3,
                     *       "toolErrors": 0,
                     *       "denied": [],
                     *       "sandbox": "enforced",
                     *       "network": {
                     *         "reached": [
                     *           {
                     *             "host": "handbook.example.com",
                     *             "port": 443,
                     *             "count": 3
                     *           }
                     *         ],
                     *         "refused": [
                     *           {
                     *             "host": "packages.example.com",
                     *             "port": 443,
                     *             "count": 1,
                     *             "reason": "The host is not in the list of allowed hosts."
                     *           }
                     *         ]
                     *       },
                     *       "runtime": "native",
                     *       "model": "playbook",
                     *       "tokensIn": null,
                     *       "tokensOut": null,
                     *       "cost": null,
                     *       "by": null,
                     *       "person": null,
                     *       "catchUp": false,
                     *       "eventId": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Id of the run.
                 * @example 01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01
                 */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *       "project": "handbook",
                     *       "source": "trigger",
                     *       "trigger": "nightly",
                     *       "cause": "manual",
                     *       "state": "queued",
                     *       "scheduledFor": null,
                     *       "scheduledUntil": null,
                     *       "slotCount": 0,
                     *       "claimedAt": "2026-03-02T03:00:00.000Z",
                     *       "startedAt": null,
                     *       "endedAt": null,
                     *       "lateMs": null,
                     *       "outcome": null,
                     *       "reason": null,
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *       "turns": 0,
                     *       "toolCalls": 0,
                     *       "toolErrors": null,
                     *       "denied": [],
                     *       "sandbox": null,
                     *       "network": null,
                     *       "runtime": "native",
                     *       "model": "playbook",
                     *       "tokensIn": null,
                     *       "tokensOut": null,
                     *       "cost": null,
                     *       "by": "user",
                     *       "person": "anna",
                     *       "catchUp": false,
                     *       "eventId": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_trigger_changes: {
        parameters: {
            query?: {
                /** @description Which one, if both have this name. Default: trigger. */
                source?: "trigger" | "schedule";
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changes": [
                     *         {
                     *           "id": "01990c2e-7a13-7b21-9d10-4c8e6f0b5d34",
                     *           "at": "2026-02-28T17:02:00.000Z",
                     *           "project": "handbook",
                     *           "source": "trigger",
                     *           "trigger": "nightly",
                     *           "kind": "disabled",
                     *           "by": "client:ci",
                     *           "person": null,
                     *           "via": "client",
                     *           "sessionId": null,
                     *           "writtenAt": null,
                     *           "reason": null,
                     *           "fields": [
                     *             {
                     *               "field": "enabled",
                     *               "from": "true",
                     *               "to": "false"
                     *             }
                     *           ],
                     *           "standing": {
                     *             "enabled": false,
                     *             "type": "schedule",
                     *             "cron": "0 3 * * *",
                     *             "timezone": "Europe/Berlin",
                     *             "interval": null,
                     *             "on": null,
                     *             "catchUp": "latest",
                     *             "delayMs": 0
                     *           },
                     *           "anchor": null
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["TriggerChanges"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_trigger_runs: {
        parameters: {
            query?: {
                /** @description Only runs with one of these outcomes, e.g. failed,timed_out. */
                outcome?: ("succeeded" | "failed" | "timed_out" | "cancelled" | "interrupted" | "max_turns" | "denied" | "no_model" | "missed" | "skipped_overlap" | "skipped_paused" | "skipped_limit")[];
                /** @description Only runs claimed at or after this time. */
                from?: string;
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *           "project": "handbook",
                     *           "source": "trigger",
                     *           "trigger": "nightly",
                     *           "cause": "schedule",
                     *           "state": "ended",
                     *           "scheduledFor": "2026-03-02T03:00:00.000Z",
                     *           "scheduledUntil": "2026-03-02T03:00:00.000Z",
                     *           "slotCount": 1,
                     *           "claimedAt": "2026-03-02T03:00:00.000Z",
                     *           "startedAt": "2026-03-02T03:00:00.000Z",
                     *           "endedAt": "2026-03-02T03:00:41.000Z",
                     *           "lateMs": 3,
                     *           "outcome": "succeeded",
                     *           "reason": null,
                     *           "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *           "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *           "turns": 4,
                     *           "toolCalls": 3,
                     *           "toolErrors": 0,
                     *           "denied": [],
                     *           "sandbox": "enforced",
                     *           "network": {
                     *             "reached": [
                     *               {
                     *                 "host": "handbook.example.com",
                     *                 "port": 443,
                     *                 "count": 3
                     *               }
                     *             ],
                     *             "refused": [
                     *               {
                     *                 "host": "packages.example.com",
                     *                 "port": 443,
                     *                 "count": 1,
                     *                 "reason": "The host is not in the list of allowed hosts."
                     *               }
                     *             ]
                     *           },
                     *           "runtime": "native",
                     *           "model": "playbook",
                     *           "tokensIn": null,
                     *           "tokensOut": null,
                     *           "cost": null,
                     *           "by": null,
                     *           "person": null,
                     *           "catchUp": false,
                     *           "eventId": null
                     *         }
                     *       ],
                     *       "next": null,
                     *       "removed": {
                     *         "count": 1200,
                     *         "until": "2026-03-02T03:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    why_trigger: {
        parameters: {
            query?: {
                /**
                 * @description A time without seconds matches any slot in that minute. Default: the latest slot.
                 * @example 2026-03-02T03:00:00.000Z
                 */
                at?: string;
                /** @description Which one, if both have this name. Default: trigger. */
                source?: "trigger" | "schedule";
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Name of the trigger.
                 * @example nightly
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "at": "2026-03-01T02:00:00.000Z",
                     *       "source": "trigger",
                     *       "trigger": "nightly",
                     *       "decision": "off",
                     *       "by": "client:ci",
                     *       "sentences": [
                     *         "No slot: the trigger was disabled from Saturday 18:02 (disabled by client:ci) to 09:10."
                     *       ],
                     *       "slot": null,
                     *       "before": null,
                     *       "after": null,
                     *       "runId": null,
                     *       "changes": [
                     *         {
                     *           "id": "01990c2e-7a13-7b21-9d10-4c8e6f0b5d34",
                     *           "at": "2026-02-28T17:02:00.000Z",
                     *           "project": "handbook",
                     *           "source": "trigger",
                     *           "trigger": "nightly",
                     *           "kind": "disabled",
                     *           "by": "client:ci",
                     *           "person": null,
                     *           "via": "client",
                     *           "sessionId": null,
                     *           "writtenAt": null,
                     *           "reason": null,
                     *           "fields": [
                     *             {
                     *               "field": "enabled",
                     *               "from": "true",
                     *               "to": "false"
                     *             }
                     *           ],
                     *           "standing": {
                     *             "enabled": false,
                     *             "type": "schedule",
                     *             "cron": "0 3 * * *",
                     *             "timezone": "Europe/Berlin",
                     *             "interval": null,
                     *             "on": null,
                     *             "catchUp": "latest",
                     *             "delayMs": 0
                     *           },
                     *           "anchor": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Why"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_all_runs: {
        parameters: {
            query?: {
                /** @description Only runs with one of these outcomes, e.g. failed,timed_out. */
                outcome?: ("succeeded" | "failed" | "timed_out" | "cancelled" | "interrupted" | "max_turns" | "denied" | "no_model" | "missed" | "skipped_overlap" | "skipped_paused" | "skipped_limit")[];
                /** @description Only runs claimed at or after this time. */
                from?: string;
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *           "project": "handbook",
                     *           "source": "trigger",
                     *           "trigger": "nightly",
                     *           "cause": "schedule",
                     *           "state": "ended",
                     *           "scheduledFor": "2026-03-02T03:00:00.000Z",
                     *           "scheduledUntil": "2026-03-02T03:00:00.000Z",
                     *           "slotCount": 1,
                     *           "claimedAt": "2026-03-02T03:00:00.000Z",
                     *           "startedAt": "2026-03-02T03:00:00.000Z",
                     *           "endedAt": "2026-03-02T03:00:41.000Z",
                     *           "lateMs": 3,
                     *           "outcome": "succeeded",
                     *           "reason": null,
                     *           "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *           "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *           "turns": 4,
                     *           "toolCalls": 3,
                     *           "toolErrors": 0,
                     *           "denied": [],
                     *           "sandbox": "enforced",
                     *           "network": {
                     *             "reached": [
                     *               {
                     *                 "host": "handbook.example.com",
                     *                 "port": 443,
                     *                 "count": 3
                     *               }
                     *             ],
                     *             "refused": [
                     *               {
                     *                 "host": "packages.example.com",
                     *                 "port": 443,
                     *                 "count": 1,
                     *                 "reason": "The host is not in the list of allowed hosts."
                     *               }
                     *             ]
                     *           },
                     *           "runtime": "native",
                     *           "model": "playbook",
                     *           "tokensIn": null,
                     *           "tokensOut": null,
                     *           "cost": null,
                     *           "by": null,
                     *           "person": null,
                     *           "catchUp": false,
                     *           "eventId": null
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["AllRunPage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    find_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the run.
                 * @example 01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01
                 */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *       "project": "handbook",
                     *       "source": "trigger",
                     *       "trigger": "nightly",
                     *       "cause": "schedule",
                     *       "state": "ended",
                     *       "scheduledFor": "2026-03-02T03:00:00.000Z",
                     *       "scheduledUntil": "2026-03-02T03:00:00.000Z",
                     *       "slotCount": 1,
                     *       "claimedAt": "2026-03-02T03:00:00.000Z",
                     *       "startedAt": "2026-03-02T03:00:00.000Z",
                     *       "endedAt": "2026-03-02T03:00:41.000Z",
                     *       "lateMs": 3,
                     *       "outcome": "succeeded",
                     *       "reason": null,
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *       "turns": 4,
                     *       "toolCalls": 3,
                     *       "toolErrors": 0,
                     *       "denied": [],
                     *       "sandbox": "enforced",
                     *       "network": {
                     *         "reached": [
                     *           {
                     *             "host": "handbook.example.com",
                     *             "port": 443,
                     *             "count": 3
                     *           }
                     *         ],
                     *         "refused": [
                     *           {
                     *             "host": "packages.example.com",
                     *             "port": 443,
                     *             "count": 1,
                     *             "reason": "The host is not in the list of allowed hosts."
                     *           }
                     *         ]
                     *       },
                     *       "runtime": "native",
                     *       "model": "playbook",
                     *       "tokensIn": null,
                     *       "tokensOut": null,
                     *       "cost": null,
                     *       "by": null,
                     *       "person": null,
                     *       "catchUp": false,
                     *       "eventId": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_chats: {
        parameters: {
            query?: {
                /** @description Default: false. */
                includeArchived?: boolean;
                /** @description Maximum number of chats. Default: 50. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chats": [
                     *         {
                     *           "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *           "project": "handbook",
                     *           "name": "Check the links of the handbook and fix the broken ones.",
                     *           "agentName": "trigger-handbook-nightly",
                     *           "by": null,
                     *           "person": null,
                     *           "trigger": "nightly",
                     *           "runtime": "native",
                     *           "model": "playbook",
                     *           "capability": {
                     *             "runsAs": "agent",
                     *             "agentName": "trigger-handbook-nightly",
                     *             "tools": [
                     *               "Read",
                     *               "Edit",
                     *               "WebFetch"
                     *             ],
                     *             "permissionMode": "default",
                     *             "maxTurns": 30,
                     *             "maxSpawnDepth": 1
                     *           },
                     *           "forkedFrom": null,
                     *           "createdAt": "2026-03-02T03:00:00.000Z",
                     *           "updatedAt": "2026-03-02T03:00:41.000Z",
                     *           "archivedAt": null,
                     *           "archivedBy": null,
                     *           "archived": false,
                     *           "running": false,
                     *           "messageCount": 8,
                     *           "prunedMessages": 0
                     *         }
                     *       ],
                     *       "omittedArchived": 0,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Which pages link to the old wiki?"
                 *     }
                 */
                "application/json": components["schemas"]["NewChat"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "project": "handbook",
                     *       "name": "Which pages link to the old wiki?",
                     *       "agentName": null,
                     *       "by": "user",
                     *       "person": "anna",
                     *       "trigger": null,
                     *       "runtime": "native",
                     *       "model": "playbook",
                     *       "capability": {
                     *         "runsAs": "agent",
                     *         "agentName": "trigger-handbook-nightly",
                     *         "tools": [
                     *           "Read",
                     *           "Edit",
                     *           "WebFetch"
                     *         ],
                     *         "permissionMode": "default",
                     *         "maxTurns": 30,
                     *         "maxSpawnDepth": 1
                     *       },
                     *       "forkedFrom": null,
                     *       "createdAt": "2026-03-02T03:00:00.000Z",
                     *       "updatedAt": "2026-03-02T03:00:41.000Z",
                     *       "archivedAt": null,
                     *       "archivedBy": null,
                     *       "archived": false,
                     *       "running": true,
                     *       "messageCount": 1,
                     *       "prunedMessages": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: run_failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_chat: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next` of the previous page, to get earlier messages. */
                cursor?: string;
                /** @description Message number: return only later messages, oldest first. Pass `next` as `after` to continue. Cannot be combined with cursor. */
                after?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Session id of the chat.
                 * @example 01990c2e-7a11-7d02-8a4b-91c7e3d50f12
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "project": "handbook",
                     *       "name": "Check the links of the handbook and fix the broken ones.",
                     *       "agentName": "trigger-handbook-nightly",
                     *       "by": null,
                     *       "person": null,
                     *       "trigger": "nightly",
                     *       "runtime": "native",
                     *       "model": "playbook",
                     *       "capability": {
                     *         "runsAs": "agent",
                     *         "agentName": "trigger-handbook-nightly",
                     *         "tools": [
                     *           "Read",
                     *           "Edit",
                     *           "WebFetch"
                     *         ],
                     *         "permissionMode": "default",
                     *         "maxTurns": 30,
                     *         "maxSpawnDepth": 1
                     *       },
                     *       "forkedFrom": null,
                     *       "createdAt": "2026-03-02T03:00:00.000Z",
                     *       "updatedAt": "2026-03-02T03:00:41.000Z",
                     *       "archivedAt": null,
                     *       "archivedBy": null,
                     *       "archived": false,
                     *       "running": false,
                     *       "messageCount": 8,
                     *       "prunedMessages": 0,
                     *       "messages": [
                     *         {
                     *           "seq": 8,
                     *           "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *           "role": "assistant",
                     *           "kind": "text",
                     *           "text": "Two links were broken. Both point to the new address now.",
                     *           "tool": null,
                     *           "by": null,
                     *           "timestamp": "2026-03-02T03:00:41.000Z"
                     *         }
                     *       ],
                     *       "next": "8"
                     *     }
                     */
                    "application/json": components["schemas"]["ChatWithMessages"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    archive_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Session id of the chat.
                 * @example 01990c2e-7a11-7d02-8a4b-91c7e3d50f12
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "archived": true,
                     *       "project": "handbook",
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivedChat"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancel_turn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Session id of the chat.
                 * @example 01990c2e-7a11-7d02-8a4b-91c7e3d50f12
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "project": "handbook",
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *       "runId": null
                     *     }
                     */
                    "application/json": components["schemas"]["CancelledTurn"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fork_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Session id of the chat.
                 * @example 01990c2e-7a11-7d02-8a4b-91c7e3d50f12
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Which pages link to the old wiki?"
                 *     }
                 */
                "application/json": components["schemas"]["Fork"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "project": "handbook",
                     *       "name": "Which pages link to the old wiki?",
                     *       "agentName": null,
                     *       "by": "user",
                     *       "person": "anna",
                     *       "trigger": null,
                     *       "runtime": "native",
                     *       "model": "playbook",
                     *       "capability": {
                     *         "runsAs": "agent",
                     *         "agentName": "trigger-handbook-nightly",
                     *         "tools": [
                     *           "Read",
                     *           "Edit",
                     *           "WebFetch"
                     *         ],
                     *         "permissionMode": "default",
                     *         "maxTurns": 30,
                     *         "maxSpawnDepth": 1
                     *       },
                     *       "forkedFrom": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "createdAt": "2026-03-02T03:00:00.000Z",
                     *       "updatedAt": "2026-03-02T03:00:41.000Z",
                     *       "archivedAt": null,
                     *       "archivedBy": null,
                     *       "archived": false,
                     *       "running": true,
                     *       "messageCount": 1,
                     *       "prunedMessages": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    send_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Session id of the chat.
                 * @example 01990c2e-7a11-7d02-8a4b-91c7e3d50f12
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Which pages link to the old wiki?"
                 *     }
                 */
                "application/json": components["schemas"]["NewMessage"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sent": true,
                     *       "project": "handbook",
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *       "prompt": "Which pages link to the old wiki?"
                     *     }
                     */
                    "application/json": components["schemas"]["SentMessage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unarchive_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
                /**
                 * @description Session id of the chat.
                 * @example 01990c2e-7a11-7d02-8a4b-91c7e3d50f12
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "archived": false,
                     *       "project": "handbook",
                     *       "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivedChat"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "projects": [
                     *         {
                     *           "slug": "handbook",
                     *           "name": "Handbook",
                     *           "summary": "How we work.",
                     *           "area": "docs",
                     *           "status": "active",
                     *           "repo": null,
                     *           "keeper": {
                     *             "runtime": null,
                     *             "model": null,
                     *             "permissionMode": null
                     *           },
                     *           "triggerCount": 1,
                     *           "faults": [],
                     *           "health": {
                     *             "total": 1,
                     *             "needYou": 1,
                     *             "legacyNeedYou": 0,
                     *             "failing": 0,
                     *             "invalid": 0,
                     *             "paused": 0,
                     *             "unready": 0,
                     *             "limited": 1,
                     *             "silent": 0,
                     *             "running": 0,
                     *             "missed24h": 0,
                     *             "armed": 1,
                     *             "nextFire": "2026-03-03T03:00:00.000Z"
                     *           },
                     *           "node": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_project: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Handbook",
                 *       "summary": "How we work.",
                 *       "area": "docs",
                 *       "status": "active"
                 *     }
                 */
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slug": "handbook",
                     *       "name": "Handbook",
                     *       "summary": "How we work.",
                     *       "area": "docs",
                     *       "status": "active",
                     *       "repo": null,
                     *       "keeper": {
                     *         "runtime": null,
                     *         "model": null,
                     *         "permissionMode": null
                     *       },
                     *       "triggerCount": 1,
                     *       "faults": []
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedProject"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slug": "handbook",
                     *       "name": "Handbook",
                     *       "summary": "How we work.",
                     *       "area": "docs",
                     *       "status": "active",
                     *       "repo": null,
                     *       "keeper": {
                     *         "runtime": null,
                     *         "model": null,
                     *         "permissionMode": null
                     *       },
                     *       "triggerCount": 1,
                     *       "faults": []
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    confirm_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "etag": "6c1f0d"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmFile"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "confirmed": true,
                     *       "etag": "6c1f0d",
                     *       "inEffect": "name: Handbook\n",
                     *       "current": "name: Handbook\nsummary: How we work.\n"
                     *     }
                     */
                    "application/json": components["schemas"]["FileConfirmation"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_usage: {
        parameters: {
            query?: {
                /** @description Number of days, including today. */
                days?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Folder name of the project.
                 * @example handbook
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "timezone": "Europe/Berlin",
                     *       "days": [
                     *         {
                     *           "day": "2026-03-02",
                     *           "runs": 1,
                     *           "tokensIn": 5210,
                     *           "tokensOut": 840,
                     *           "cost": 0.0211,
                     *           "chatTurns": 2
                     *         }
                     *       ],
                     *       "total": {
                     *         "runs": 1,
                     *         "tokensIn": 5210,
                     *         "tokensOut": 840,
                     *         "cost": 0.0211,
                     *         "chatTurns": 2
                     *       },
                     *       "triggers": [
                     *         {
                     *           "source": "trigger",
                     *           "name": "nightly",
                     *           "runs": 1,
                     *           "tokensIn": 5210,
                     *           "tokensOut": 840,
                     *           "cost": 0.0211,
                     *           "chatTurns": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectUsage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    test_alerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "sink": "ops"
                 *     }
                 */
                "application/json": components["schemas"]["AlertTest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tried": [
                     *         {
                     *           "sink": "ops",
                     *           "at": "2026-03-02T03:00:00.000Z",
                     *           "ok": true,
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TestedAlerts"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    follow_changes: {
        parameters: {
            query?: {
                /** @description Only changes in the project with this slug. */
                project?: string;
            };
            header?: {
                /** @description Id of the last event received: later events are sent first. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: not_found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_logs: {
        parameters: {
            query?: {
                /** @description `last` of an earlier response. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lines": [
                     *         {
                     *           "level": 30,
                     *           "time": "2026-03-02T03:00:00.000Z",
                     *           "url": "http://127.0.0.1:7420",
                     *           "msg": "listening"
                     *         }
                     *       ],
                     *       "last": 1,
                     *       "dropped": 0,
                     *       "node": "01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60"
                     *     }
                     */
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_nodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "id": "01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60",
                     *           "host": "atlas",
                     *           "version": "1.0.0",
                     *           "startedAt": "2026-03-02T03:00:00.000Z",
                     *           "heartbeatAt": "2026-03-02T03:00:41.000Z",
                     *           "running": 1
                     *         },
                     *         {
                     *           "id": "01990c2e-6f02-7a19-b3d4-0e7c6a2f8b51",
                     *           "host": "bora",
                     *           "version": "1.0.0",
                     *           "startedAt": "2026-03-02T03:00:00.000Z",
                     *           "heartbeatAt": "2026-03-02T03:00:41.000Z",
                     *           "running": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceNodes"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pause_all: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The wiki moves to another host.",
                 *       "stopRunning": true
                 *     }
                 */
                "application/json": components["schemas"]["PauseWish"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paused": {
                     *         "by": "anna",
                     *         "at": "2026-03-02T03:00:00.000Z",
                     *         "reason": "The wiki moves to another host."
                     *       },
                     *       "replaced": null,
                     *       "servers": 1,
                     *       "answeredBy": "01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60",
                     *       "stopped": 1
                     *     }
                     */
                    "application/json": components["schemas"]["PausedNow"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resume_all: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paused": null
                     *     }
                     */
                    "application/json": components["schemas"]["ResumedAll"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": {
                     *         "limits.turnTimeout": {
                     *           "value": "60m",
                     *           "source": "default"
                     *         }
                     *       },
                     *       "clients": [
                     *         {
                     *           "clientId": "ci",
                     *           "scope": {
                     *             "projects": [
                     *               "handbook"
                     *             ],
                     *             "allow": [
                     *               "list_*",
                     *               "run_trigger"
                     *             ],
                     *             "deny": [],
                     *             "denyProjects": [],
                     *             "maxSpawnDepth": null
                     *           }
                     *         }
                     *       ],
                     *       "runtimes": [
                     *         {
                     *           "id": "native",
                     *           "isDefault": true,
                     *           "ready": true,
                     *           "reason": null,
                     *           "holds": {
                     *             "tools": [
                     *               "Read",
                     *               "Edit",
                     *               "Bash"
                     *             ],
                     *             "toolAllowList": "enforced",
                     *             "maxTurns": "exact",
                     *             "network": "all",
                     *             "permissionModes": [
                     *               "default",
                     *               "acceptEdits",
                     *               "bypassPermissions",
                     *               "plan"
                     *             ],
                     *             "resume": true,
                     *             "fork": true,
                     *             "svcManage": "in-process",
                     *             "cost": "none"
                     *           },
                     *           "fence": {
                     *             "verdict": "none",
                     *             "reason": null
                     *           }
                     *         }
                     *       ],
                     *       "alerts": {
                     *         "sinks": [
                     *           {
                     *             "id": "ops",
                     *             "kind": "webhook",
                     *             "to": "https://hooks.example/…",
                     *             "on": [
                     *               "failed",
                     *               "missed",
                     *               "paused",
                     *               "recovered"
                     *             ],
                     *             "threshold": 1,
                     *             "cooldown": "1h",
                     *             "problem": null,
                     *             "lastTry": {
                     *               "at": "2026-03-02T03:00:00.000Z",
                     *               "ok": false,
                     *               "error": "The server responded with status 500."
                     *             },
                     *             "waiting": 2,
                     *             "givenUp": 0
                     *           }
                     *         ],
                     *         "heartbeat": {
                     *           "to": "https://watcher.example/…",
                     *           "every": "5m",
                     *           "lastTry": {
                     *             "at": "2026-03-02T03:00:00.000Z",
                     *             "ok": true,
                     *             "error": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EffectiveSettings"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "1.0.0",
                     *       "paused": null,
                     *       "nodes": [
                     *         {
                     *           "id": "01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60",
                     *           "host": "atlas",
                     *           "version": "1.0.0",
                     *           "startedAt": "2026-03-02T03:00:00.000Z",
                     *           "heartbeatAt": "2026-03-02T03:00:41.000Z",
                     *           "running": 1
                     *         }
                     *       ],
                     *       "differences": [],
                     *       "places": [
                     *         {
                     *           "node": "01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60",
                     *           "url": "http://127.0.0.1:7420",
                     *           "home": "/var/lib/svc",
                     *           "projects": 3
                     *         }
                     *       ],
                     *       "gone": [],
                     *       "answeredBy": "01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60",
                     *       "alerts": {
                     *         "failing": [
                     *           {
                     *             "sink": "ops",
                     *             "error": "The server responded with status 500."
                     *           }
                     *         ],
                     *         "waiting": 2
                     *       },
                     *       "usageToday": {
                     *         "runs": 1,
                     *         "tokensIn": 5210,
                     *         "tokensOut": 840,
                     *         "cost": 0.0211,
                     *         "chatTurns": 2
                     *       },
                     *       "costPerDay": {
                     *         "spent": 1.25,
                     *         "limit": 5
                     *       },
                     *       "timezone": {
                     *         "name": "Europe/Berlin",
                     *         "warning": null
                     *       },
                     *       "attention": {
                     *         "total": 1,
                     *         "entries": [
                     *           {
                     *             "project": "handbook",
                     *             "source": "trigger",
                     *             "name": "nightly-report",
                     *             "kind": "limited",
                     *             "reason": "Daily cost limit of this instance reached: 5.01 US dollars today (limits.costPerDayUsd: 5). Turns that cost money start again tomorrow."
                     *           }
                     *         ]
                     *       },
                     *       "sandboxLack": {
                     *         "reason": "The program bwrap was not found. Install the package bubblewrap, for example with apt-get install bubblewrap.",
                     *         "intended": false,
                     *         "required": false
                     *       },
                     *       "limitedWatch": {
                     *         "reason": "The limit fs.inotify.max_user_watches of this machine is reached. Raise it, for example with sysctl -w fs.inotify.max_user_watches=524288.",
                     *         "projects": 1808,
                     *         "seconds": 4
                     *       },
                     *       "running": [
                     *         {
                     *           "turnId": "01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23",
                     *           "project": "handbook",
                     *           "sessionId": "01990c2e-7a11-7d02-8a4b-91c7e3d50f12",
                     *           "chat": "nightly",
                     *           "runId": "01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01",
                     *           "trigger": "nightly",
                     *           "startedAt": "2026-03-02T03:00:00.000Z",
                     *           "node": "01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mode": "token",
                     *       "signedIn": true,
                     *       "user": null,
                     *       "role": "write"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "the access token"
                 *     }
                 */
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mode": "token",
                     *       "signedIn": true,
                     *       "user": null,
                     *       "role": "write"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: payload_too_large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unsupported_media_type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mode": "token",
                     *       "signedIn": false,
                     *       "user": null,
                     *       "role": null
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused: invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: auth_required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: forbidden_host or not_permitted or forbidden_origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: too_many_requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: internal. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
