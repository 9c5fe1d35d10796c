import type { Chat, Message, Run } from '@svc/records';
import type { FeedItem } from '../changes.ts';
import type { Archiving } from '../nouns/chat-writes.ts';
import type { ChatPage, MessagePage } from '../nouns/chats.ts';
import type { Preview } from '../nouns/preview.ts';
import type { CreatedProject, ProjectView, ProjectWithHealth } from '../nouns/projects.ts';
import type { ListedPromptFile, PromptText } from '../nouns/prompt-files.ts';
import type { RunPage } from '../nouns/runs.ts';
import type { AcceptedTrigger, Verdict } from '../nouns/trigger-edits.ts';
import type { TriggerList } from '../nouns/trigger-list.ts';
import type { RuntimeState } from '../nouns/trigger-states.ts';
import type { FlatList, FlatTrigger } from '../nouns/trigger-view.ts';
import type { StoredTrigger } from '../nouns/triggers.ts';
import type { Plan } from '../nouns/upcoming.ts';

/** A trigger that was set field by field. */
interface SetTrigger {
  readonly set: true;
  readonly project: string;
  readonly trigger: FlatTrigger;
  readonly warnings?: AcceptedTrigger['warnings'];
}

/** A trigger that was fired. `outcome`: how its run ended, where that was waited for. */
interface RanTrigger {
  readonly ran: true;
  readonly project: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly outcome?: NonNullable<Run['outcome']>;
}

/** The newest messages of a chat, their texts cut for a reader. */
interface ReadChat {
  readonly project: string;
  readonly sessionId: string;
  /** How many messages there are. */
  readonly total: number;
  readonly returned: number;
  readonly messages: readonly Pick<Message, 'role' | 'text' | 'timestamp'>[];
}

interface SentMessage {
  readonly sent: true;
  readonly project: string;
  readonly sessionId: string;
  readonly prompt: string;
}

/** Copies of a chat, in the order of their prompts. */
interface Forks {
  readonly count: number;
  readonly source: string;
  readonly forks: readonly { readonly sessionId: string; readonly prompt: string }[];
}

/** The changes that a caller sees. */
export interface VisibleChanges {
  /**
   * Calls back for every change after `after` (an event id; null: from now on), or with the id of one that is passed over.
   * Returns how to stop.
   */
  subscribe(
    after: string | null,
    on: (item: FeedItem) => void,
    passedOver: (eventId: string) => void,
  ): () => void;
}

/** What comes of each operation when it is carried out. */
export interface OperationResults {
  list_projects: { readonly projects: readonly ProjectView[] };
  list_project_records: { readonly projects: readonly ProjectWithHealth[] };
  create_project: CreatedProject;
  read_project: ProjectView;

  list_chats: ChatPage;
  read_chat: ReadChat;
  read_transcript: Chat & MessagePage;
  create_chat: Chat;
  send_message: SentMessage;
  fork_chat: Chat;
  fork_chat_batch: Forks;
  archive_chat: Archiving;
  unarchive_chat: Archiving;

  list_triggers: FlatList;
  set_trigger: SetTrigger;
  remove_trigger: { readonly removed: boolean; readonly project: string; readonly name: string };
  run_trigger: RanTrigger;
  list_trigger_records: TriggerList;
  read_trigger: StoredTrigger;
  read_trigger_runtime: { readonly runtime: readonly RuntimeState[] };
  put_trigger: AcceptedTrigger;
  validate_trigger: Verdict;
  list_prompt_files: { readonly promptFiles: readonly ListedPromptFile[] };
  read_prompt_file: PromptText;
  list_upcoming: Plan;
  preview_schedule: Preview;

  list_runs: RunPage;
  list_trigger_runs: RunPage;
  read_run: Run;
  cancel_run: Run;

  follow_changes: VisibleChanges;
  read_openapi: null;
}
