/**
 * One server-sent event (HTML Living Standard, section 9.2).
 * @param json Its data as one line of JSON, as `JSON.stringify` writes it.
 * @param id The reader's position in the stream after this event. Default: none.
 */
export function eventText(event: string, json: string, id?: string): string {
  const text = `event: ${event}\ndata: ${json}\n\n`;
  return id === undefined ? text : `id: ${id}\n${text}`;
}
