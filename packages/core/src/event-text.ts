/**
 * One server-sent event (HTML Living Standard, section 9.2).
 *
 * @param json Its data as JSON in one line, as `JSON.stringify` writes it.
 * @param id The place in the stream that a reader has reached with it. Default: none.
 */
export function eventText(event: string, json: string, id?: string): string {
  const text = `event: ${event}\ndata: ${json}\n\n`;
  return id === undefined ? text : `id: ${id}\n${text}`;
}
