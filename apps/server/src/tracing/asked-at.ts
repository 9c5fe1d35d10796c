import type { Settings } from '../setting-table.ts';

/** The model provider of a runtime. */
interface Asked {
  /** A name from the semantic conventions, if they define one. */
  readonly provider: string;
  readonly address: string | null;
  readonly port: number | null;
}

/** Finds the model provider of a runtime; `model` null: its default model. */
export type AskedAt = (runtime: string, model: string | null) => Asked;

const PLAYBOOK = 'playbook';
const ANTHROPIC = 'https://api.anthropic.com';

/** Creates the lookup from the settings of the runtimes. Only the name of an external runtime is known. */
export function createAskedAt({ native, claude }: Settings['runtime']): AskedAt {
  const chat = { provider: 'openai', ...placeOf(native.baseUrl) };
  const messages = { provider: 'anthropic', ...placeOf(claude.baseUrl ?? ANTHROPIC) };
  return (runtime, model) => {
    if (runtime === 'claude') return messages;
    if (runtime !== 'native') return { provider: runtime, ...NOWHERE };
    const isPlaybook = (model ?? native.model ?? PLAYBOOK) === PLAYBOOK || native.baseUrl === null;
    return isPlaybook ? { provider: 'svc', ...NOWHERE } : chat;
  };
}

const NOWHERE = { address: null, port: null };

function placeOf(url: string | null): Pick<Asked, 'address' | 'port'> {
  if (url === null || !URL.canParse(url)) return NOWHERE;
  const { hostname, port, protocol } = new URL(url);
  return { address: hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443) };
}
