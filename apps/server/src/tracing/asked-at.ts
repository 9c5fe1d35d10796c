import type { Settings } from '../setting-table.ts';

/** Whom a runtime asks for a model. */
interface Asked {
  /** By a name of the semantic conventions, where they have one for it. */
  readonly provider: string;
  readonly address: string | null;
  readonly port: number | null;
}

/** Finds out whom a runtime asks for a model, null for the one that it takes by default. */
export type AskedAt = (runtime: string, model: string | null) => Asked;

const PLAYBOOK = 'playbook';
const ANTHROPIC = 'https://api.anthropic.com';

/** By the settings of the runtimes: of a program of others only its name is known. */
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
