import { type ManagementConfig, metadataDocument, metadataHeaders } from '@svc/mgmt-auth';
import { jsonAnswer, type PlainAnswer } from './answers.ts';

/** Answers a request for the metadata document, by method. */
export type Documents = (method: string) => PlainAnswer;

/** The answer to paths that lead nowhere. */
export const NOTHING: PlainAnswer = jsonAnswer(404, { error: 'not found' });

// Pages of other origins may read the document, and their clients send headers of the protocol with the request.
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

/** Makes the answers of a configuration. */
export function createDocuments(config: ManagementConfig | null): Documents {
  const document = metadataDocument(config);
  if (document === null) return () => NOTHING;
  const answer = { status: 200, headers: metadataHeaders, body: JSON.stringify(document) };
  return (method) => {
    if (method === 'GET' || method === 'HEAD') return answer;
    return method === 'OPTIONS' ? PREFLIGHT : WRONG_METHOD;
  };
}
