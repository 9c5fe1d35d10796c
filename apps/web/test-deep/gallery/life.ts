import { eventually, type Service } from '../service.ts';

type Facts = Record<string, unknown>;

/** Creates the runs, chats and events that the pictures need, on a running service. */
export function lifeOf({ url }: Pick<Service, 'url'>) {
  async function ask(path: string, init?: RequestInit): Promise<Facts> {
    const answer = await fetch(`${url}/api${path}`, init);
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
    return (await answer.json()) as Facts;
  }
  const post = (path: string, body: Facts = {}): Promise<Facts> =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(body),
    });
  const fire = async (slug: string, name: string): Promise<string> =>
    String((await post(`/projects/${slug}/triggers/${encodeURIComponent(name)}/run`))['runId']);
  const runs = async (slug: string, name: string): Promise<Facts[]> =>
    (await ask(`/projects/${slug}/runs?trigger=${encodeURIComponent(name)}`))['runs'] as Facts[];
  return {
    fire,
    runs,
    /** Fires triggers one by one, and waits for the end of each run. */
    async runThrough(slug: string, names: readonly string[]): Promise<void> {
      for (const name of names) {
        const id = await fire(slug, name);
        await eventually(async () => {
          const run = await ask(`/projects/${slug}/runs/${id}`);
          return run['state'] === 'ended';
        });
      }
    },
    /** Archives a chat, and waits until the runs that this starts have ended. */
    async archive(slug: string, id: string): Promise<void> {
      await post(`/projects/${slug}/chats/${id}/archive`);
      await eventually(async () => {
        const { events } = await ask(`/projects/${slug}/events?event=onArchive&limit=1`);
        const [newest] = events as { sessionId: string; runs: { state: string }[] }[];
        const runs = newest?.sessionId === id ? newest.runs : [];
        return runs.length > 0 && runs.every(({ state }) => state === 'ended');
      });
    },
    /** Starts a chat, waits for its end and returns its id. */
    async chat(slug: string, name: string, prompt: string): Promise<string> {
      const id = String((await post(`/projects/${slug}/chats`, { name, prompt }))['sessionId']);
      await eventually(
        async () => (await ask(`/projects/${slug}/chats/${id}`))['running'] === false,
      );
      return id;
    },
  };
}
