/** The model provider of a runtime. */
interface ModelProvider {
  /** A name from the semantic conventions, if they define one. */
  readonly provider: string;
  readonly address: string | null;
  readonly port: number | null;
}

/** Finds the model provider of a runtime; `model` null: its default model. */
export type FindProvider = (runtime: string, model: string | null) => ModelProvider;

const PLAYBOOK = 'playbook';
const ANTHROPIC = 'https://api.anthropic.com';

/** The models and endpoints of the built-in runtimes; null: not configured. */
export interface RuntimeModels {
  readonly native: { readonly model: string | null; readonly baseUrl: string | null };
  readonly claude: { readonly baseUrl: string | null };
}

/** Creates the lookup from the settings of the runtimes. Only the name of an external runtime is known. */
export function createProviderLookup({ native, claude }: RuntimeModels): FindProvider {
  const chat = { provider: 'openai', ...addressOf(native.baseUrl) };
  const messages = { provider: 'anthropic', ...addressOf(claude.baseUrl ?? ANTHROPIC) };
  return (runtime, model) => {
    if (runtime === 'claude') return messages;
    if (runtime !== 'native') return { provider: runtime, ...NOWHERE };
    const isPlaybook = (model ?? native.model ?? PLAYBOOK) === PLAYBOOK || native.baseUrl === null;
    return isPlaybook ? { provider: 'svc', ...NOWHERE } : chat;
  };
}

const NOWHERE = { address: null, port: null };

function addressOf(url: string | null): Pick<ModelProvider, 'address' | 'port'> {
  if (url === null || !URL.canParse(url)) return NOWHERE;
  const { hostname, port, protocol } = new URL(url);
  return { address: hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443) };
}
