import type { Service } from './harness.ts';

type Facts = Record<string, unknown>;

/** What the service itself says, so that a test does not take the word of the page. */
export function restOf(service: Service) {
  const ask = async (path: string, init?: RequestInit): Promise<Facts> => {
    const answer = await fetch(`${service.url}/api/projects/hello${path}`, init);
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
    return (await answer.json()) as Facts;
  };
  const post = (path: string, body?: Facts): Promise<Facts> =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    post,
    run: (id: string) => ask(`/runs/${id}`),
    chat: (id: string) => ask(`/chats/${id}`),
    /** Starts a run; gives its id. */
    fire: async (trigger: string) => String((await post(`/triggers/${trigger}/run`))['runId']),
  };
}

/** The last part of an address. */
export function idOf(address: string): string {
  return new URL(address).pathname.split('/').at(-1) ?? '';
}
