/** A variable that is set for a step. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** A fenced block that runs a script in Bash, with variables set before it. */
export function bashStep(script: string, variables: readonly Variable[] = []): string {
  const exports = variables.map(({ name, value }) => `export ${name}=${shellQuoted(value)}`);
  const content = [...exports, script.replace(/\r\n?/g, '\n').replace(/\n+$/, '')].join('\n');
  // A loop instead of `Math.max(...)`: a script can have more runs of backticks than a call can have arguments.
  let longest = 2;
  for (const [ticks] of content.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}bash\n${content}\n${fence}\n`;
}

/** A command that reads a text from its standard input. */
export function withInput(command: string, lines: readonly string[]): string {
  let mark = 'EOF';
  while (lines.includes(mark)) mark += '_';
  return [`{ ${command}`, `} <<'${mark}'`, ...lines, mark].join('\n');
}

/** Removes everything from a text that has a meaning in Markdown. At most 200 characters. */
export function plainWords(text: string): string {
  return text
    .replace(/[^\p{L}\p{N} .,:()/_+-]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, 200);
}

/** Whether a variable may be set in a step. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Whether the name of a variable suggests a secret, which does not belong in a project file. */
export function isSecretName(name: string): boolean {
  return /pass(word|wd|phrase)?|secret|token|credential|(api|access|private)_?key|auth/i.test(name);
}

/** A text as one word of a shell. */
export function shellQuoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
