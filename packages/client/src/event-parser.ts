/** One event of a stream. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** Where the reader of a stream stands. */
export interface EventParser {
  /** Takes the next piece of the stream, cut anywhere, and gives the events that it completes. */
  read(text: string): ServerSentEvent[];
  /** Id to go on from after a loss; empty while none was sent. */
  readonly lastId: string;
}

// A carriage return at the end may be the first half of an ending of two characters.
const LINE_END = /\r\n|\n|\r(?!$)/;

/** Reads server-sent events (WHATWG HTML, section 9.2.6); comments are passed over. */
export function createEventParser(lastId: string): EventParser {
  let rest = '';
  let id = lastId;
  let known = lastId;
  let name = '';
  let data: string[] = [];
  const field = (line: string): void => {
    const [, key, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (key === 'event') name = value;
    if (key === 'data') data.push(value);
    if (key === 'id' && !value.includes('\0')) id = value;
  };
  const end = (): ServerSentEvent[] => {
    known = id;
    const event = { name: name || 'message', data: data.join('\n') };
    const isEmpty = data.length === 0;
    name = '';
    data = [];
    return isEmpty ? [] : [event];
  };
  return {
    read(text) {
      const lines = `${rest}${text}`.split(LINE_END);
      rest = lines.pop() ?? '';
      return lines.flatMap((line) => {
        if (line === '') return end();
        field(line);
        return [];
      });
    },
    get lastId() {
      return known;
    },
  };
}
