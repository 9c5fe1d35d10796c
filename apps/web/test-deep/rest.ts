type Facts = Record<string, unknown>;

/** The REST interface of the service, so that tests can check the page against it. */
export function restOf(url: () => string) {
  const ask = async (path: string, init?: RequestInit): Promise<Facts> => {
    const answer = await fetch(`${url()}/api/projects/hello${path}`, init);
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
    return (await answer.json()) as Facts;
  };
  const send = (method: string, path: string, body?: Facts): Promise<Facts> =>
    ask(path, {
      method,
      headers: { 'content-type': 'application/json', origin: url() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const post = (path: string, body?: Facts) => send('POST', path, body);
  return {
    ask,
    post,
    put: (path: string, body: Facts) => send('PUT', path, body),
    run: (id: string) => ask(`/runs/${id}`),
    /** The runs of a trigger, newest first. */
    runs: async (trigger: string) => (await ask(`/runs?trigger=${trigger}`))['runs'] as Facts[],
    chat: (id: string) => ask(`/chats/${id}`),
    trigger: async (name: string) => (await ask(`/triggers/${name}`)) as Record<string, Facts>,
    /** Starts a run and returns its id. */
    fire: async (trigger: string) => String((await post(`/triggers/${trigger}/run`))['runId']),
  };
}

/** The last part of an address. */
export function idOf(address: string): string {
  return new URL(address).pathname.split('/').at(-1) ?? '';
}
