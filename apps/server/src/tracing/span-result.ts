/** The result of a span: accepted by the collector, rejected or undeliverable, or dropped because the buffer was full. */
export type SpanResult = 'sent' | 'failed' | 'dropped';
