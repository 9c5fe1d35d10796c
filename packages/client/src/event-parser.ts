/** One event of a stream. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** A parser of a stream. */
export interface EventParser {
  /** Takes the next piece of the stream, cut anywhere, and returns the events that it completes. */
  read(text: string): ServerSentEvent[];
  /** Id to continue from after a loss; empty before the first id. */
  readonly lastId: string;
}

// A carriage return at the end may be the first half of a line ending of two characters.
const LINE_END = /\r\n|\n|\r(?!$)/;

/** Parses server-sent events (WHATWG HTML, section 9.2.6); skips comments. */
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
