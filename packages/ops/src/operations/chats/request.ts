import { invalidInput, type OperationError } from '@svc/engine';

/** A chat to start. */
export interface ChatRequest {
  readonly prompt: string;
  readonly name?: string;
  readonly model?: string;
}

const NAME_LENGTH = 80;

/** The name of a chat, from the first line of its prompt. */
export function nameFrom(prompt: string): string {
  const lines = prompt.split('\n').map((text) =>
    text
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .replace(/^#+\s*/, ''),
  );
  const line = lines.find((text) => text !== '' && !/^(`{3,}|~{3,})/.test(text)) ?? 'Chat';
  const characters = Array.from(line);
  return characters.length > NAME_LENGTH
    ? `${characters.slice(0, NAME_LENGTH - 1).join('')}…`
    : line;
}

/** Validates the texts of a request; null if valid. */
export function requestFault({ prompt, name, model }: Partial<ChatRequest>): OperationError | null {
  if (prompt !== undefined) {
    const fault = promptFault(prompt);
    if (fault !== null) return fault;
  }
  for (const [path, text] of [
    ['name', name],
    ['model', model],
  ] as const) {
    if (text === undefined || (text.trim() !== '' && !/\p{Cc}/u.test(text))) continue;
    const message = `must be one non-blank line without control characters.`;
    return invalidInput([{ path, message }]);
  }
  return null;
}

/** Validates a prompt; null if valid. */
export function promptFault(prompt: string): OperationError | null {
  if (prompt.trim() !== '') return null;
  return invalidInput([{ path: 'prompt', message: 'must not be empty.' }]);
}
