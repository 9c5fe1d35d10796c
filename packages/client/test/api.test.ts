import { expect, it } from '@jest/globals';
import { ApiError, bodyOf, createApi } from '@svc/client';

function apiThatAnswers(...answers: Response[]) {
  const requests: Request[] = [];
  const api = createApi({
    baseUrl: 'http://svc.test',
    headers: { Authorization: 'Bearer secret' },
    fetch: async (request) => {
      requests.push(request);
      return answers.shift() ?? Response.error();
    },
  });
  return { api, requests };
}

it('uses the addresses of the document and returns the body', async () => {
  const { api, requests } = apiThatAnswers(Response.json({ runs: [], next: null }));
  const path = { slug: 'über uns' };
  const answer = await api.GET('/api/projects/{slug}/runs', {
    params: { path, query: { outcome: ['failed', 'denied'], limit: 10 } },
  });
  expect(bodyOf(answer)).toEqual({ runs: [], next: null });
  expect(requests[0]?.url).toBe(
    'http://svc.test/api/projects/%C3%BCber%20uns/runs?outcome=failed,denied&limit=10',
  );
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer secret');
});

it('a refusal is thrown with its status, code, issues and sentence', async () => {
  const issues = [{ path: 'trigger.cron', message: 'has 4 fields.' }];
  const { api } = apiThatAnswers(
    Response.json({ error: 'Fix it.', code: 'invalid', issues }, { status: 400 }),
  );
  const answer = await api.GET('/api/projects');
  expect(() => bodyOf(answer)).toThrow(ApiError);
  expect(() => bodyOf(answer)).toThrow(
    expect.objectContaining({ status: 400, code: 'invalid', issues, message: 'Fix it.' }) as never,
  );
});

it('a response of another server is a refusal too', async () => {
  const { api } = apiThatAnswers(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  const answer = await api.GET('/api/projects');
  expect(() => bodyOf(answer)).toThrow(
    expect.objectContaining({
      code: 'unknown',
      message: 'The service responded with status 502.',
    }) as never,
  );
});
