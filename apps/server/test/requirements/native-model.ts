import type { Rows } from './rows.ts';

/** A model behind an OpenAI-compatible endpoint, on the embedded runtime. */
export const NATIVE_MODEL: Rows = {
  'native.model.loop':
    'A model behind an endpoint is given instructions, prompt and exactly its tools, and the results of its calls.',
  'native.model.playbook': 'A model called playbook reaches the playbook, any other the endpoint.',
  'native.model.odd-servers':
    'Calls are understood without an index, an id, a reason or a mark at the end, reasoning goes back with its message and is no part of an answer.',
  'native.model.request':
    'Headers and fields that are configured go with each request, through the proxy of the environment unless it is to this machine.',
  'native.model.honest-failures':
    'An answer that is empty, broken off, an error or a page fails its turn, with a reason without key and page.',
  'native.model.bounded-retries':
    'A call is made again at most twice, within a minute once its server was at fault, and fails after four minutes of silence.',
  'native.model.history':
    'A chat that goes on is told with calls and results that belong together.',
  'native.model.context':
    'What a model cannot hold is left out, the oldest first, and the transcript says so.',
  'native.model.stop': 'A stopped turn leaves no connection to its endpoint behind.',
  'native.fence.ways-out':
    'Settings in the project, prompts, event data, child turns, redirects and operations widen nothing.',
  'native.fence.canary': 'A runtime is seen to hold its agents by real turns that attempt escapes.',
};
