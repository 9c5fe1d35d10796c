import type { Rows } from './rows.ts';

/** Models behind an OpenAI-compatible endpoint, on the native runtime. */
export const NATIVE_MODEL: Rows = {
  'native.model.loop':
    'A model behind an endpoint gets instructions, prompt and exactly its tools, and the results of its calls.',
  'native.model.playbook':
    'The model playbook selects the playbook; any other model uses the endpoint.',
  'native.model.odd-servers':
    'Calls are understood without an index, id, finish reason or end mark; reasoning is returned with its message and is not part of an answer.',
  'native.model.request':
    'Configured headers and fields are sent with each request, through the configured proxy unless the endpoint is on this machine.',
  'native.model.honest-failures':
    'An answer that is empty, truncated, an error or an HTML page fails its turn, with a reason without key and page.',
  'native.model.bounded-retries':
    'A call is retried at most twice, for at most a minute after a server error, and fails after four minutes of silence.',
  'native.model.history': 'A chat is continued with matching calls and results.',
  'native.model.context':
    'What exceeds the context of a model is left out, oldest first, and the transcript says so.',
  'native.model.stop': 'A stopped turn leaves no connection to its endpoint open.',
  'native.fence.ways-out':
    'Settings in the project, prompts, event data, child turns, redirects and operations widen nothing.',
  'native.fence.canary':
    'A self-test of real turns that attempt escapes verifies the allow-list of a runtime.',
};
