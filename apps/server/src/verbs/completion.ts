import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(svc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _svc svc`,
  zsh: `#compdef svc
_svc() {
  local -a found
  found=("\${(@f)$(svc __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _svc svc`,
  fish: `complete -c svc -f -a '(svc __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};

/** Prints what has a shell complete the names of commands, options, projects and triggers. */
export function completionVerb({ arguments: given, terminal }: VerbContext): ExitCode {
  const [shell = '', ...rest] = given;
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined || rest.length > 0) {
    throw new UsageError('completion needs a shell: svc completion bash, zsh or fish.');
  }
  terminal.out(script);
  return 0;
}
