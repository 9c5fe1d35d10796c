import { type ManagementConfig, metadataDocument, metadataHeaders } from '@svc/mgmt-auth';
import { jsonAnswer, type PlainAnswer } from './plain-answer.ts';

/** Handles a request for the metadata document, by method. */
export type Documents = (method: string) => PlainAnswer;

/** The response for unknown paths. */
export const NOTHING: PlainAnswer = jsonAnswer(404, { error: 'not found' });

// Pages of other origins may read the document, and their clients send protocol headers with the request.
const PREFLIGHT: PlainAnswer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
  body: '',
};

const WRONG_METHOD = jsonAnswer(405, { error: 'method not allowed' }, { Allow: 'GET, HEAD' });

/** Creates the responses of a configuration. */
export function createDocuments(config: ManagementConfig | null): Documents {
  const document = metadataDocument(config);
  if (document === null) return () => NOTHING;
  const answer = { status: 200, headers: metadataHeaders, body: JSON.stringify(document) };
  return (method) => {
    if (method === 'GET' || method === 'HEAD') return answer;
    return method === 'OPTIONS' ? PREFLIGHT : WRONG_METHOD;
  };
}
