import { hasHalfCharacter, shown, utf8Length } from '../plain.ts';
import { fault, given, type Scope } from './scope.ts';

const MAX_PROMPT_BYTES = 256 * 1024;
const MAX_FILE_NAME = 255;

/** The prompt of a run: at most one of the two after validation. */
export interface PromptFields {
  readonly prompt: string | undefined;
  readonly promptFile: string | undefined;
}

/** Whether the text of a prompt field counts as absent. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !/\S/.test(value));
}

/** Checks `prompt` and `promptFile`: exactly one, or at most one if none is required. */
export function readPrompt(scope: Scope, required: boolean): PromptFields {
  const prompt = readInline(scope);
  const promptFile = readFileName(scope);
  const inline = !isBlank(given(scope, 'prompt'));
  const file = !isBlank(given(scope, 'promptFile'));
  if (inline && file) {
    fault(scope, 'promptFile', 'and prompt are both given; keep exactly one of them');
  } else if (!inline && !file && required) {
    fault(scope, 'prompt', 'or promptFile is required, and must not be blank');
  }
  return { prompt, promptFile };
}

function readInline(scope: Scope): string | undefined {
  const value = given(scope, 'prompt');
  if (isBlank(value)) return undefined;
  if (typeof value !== 'string') return fault(scope, 'prompt', `must be text, not ${shown(value)}`);
  if (hasHalfCharacter(value)) {
    return fault(scope, 'prompt', 'must be valid Unicode: remove the lone surrogate');
  }
  if (utf8Length(value) > MAX_PROMPT_BYTES) {
    return fault(scope, 'prompt', 'must be at most 256 KiB; put a longer one into a promptFile');
  }
  return value;
}

function readFileName(scope: Scope): string | undefined {
  const value = given(scope, 'promptFile');
  if (isBlank(value)) return undefined;
  if (typeof value !== 'string') {
    return fault(scope, 'promptFile', `must be the name of a .md file, not ${shown(value)}`);
  }
  const reason = fileNameFault(value);
  if (reason === null) return value;
  return fault(
    scope,
    'promptFile',
    `${reason}; use a name such as "daily.md" or "reports/daily.md"`,
  );
}

/** Why a text is not a relative path of a Markdown file that stays in its folder; null when it is one. */
function fileNameFault(name: string): string | null {
  if (name.length > MAX_FILE_NAME) return 'must have at most 255 characters';
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters';
  if (hasHalfCharacter(name)) return 'must be valid Unicode, without lone surrogates';
  if (name.includes('\\')) return 'must use / as separator, not \\';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'must be a relative path';
  const segments = name.split('/');
  if (segments.includes('..')) return 'must not use .. to leave its folder';
  if (segments.some((part) => part === '' || part === '.')) {
    return 'must not contain empty or . segments';
  }
  if (segments.some((part) => part.trim() !== part)) return 'must not contain spaces next to a /';
  return /[^/]\.md$/.test(name) ? null : 'must end in .md';
}
