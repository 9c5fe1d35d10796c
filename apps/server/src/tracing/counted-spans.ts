/** What became of a span: taken by the collector, refused or not reached, or left out because too many waited. */
export type SpanResult = 'sent' | 'failed' | 'dropped';
