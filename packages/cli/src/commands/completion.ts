import type { Command } from '../command.ts';

// If svc has no completions, the shell completes file names. Bash needs special characters in names escaped.
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_svc() {
  local found
  COMPREPLY=()
  while IFS= read -r found; do
    COMPREPLY+=("$(printf %q "$found")")
  done < <(svc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _svc svc`,
  zsh: `#compdef svc
_svc() {
  local -a found
  found=("\${(@f)$(svc __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi`,
  fish: `function __svc_complete
  set -l found (svc __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c svc -f -a '(__svc_complete)'`,
};

/** Prints the completion script for a shell. */
export const completion: Command = {
  name: 'completion',
  group: 'Set up',
  summary: 'print a completion script for bash, zsh or fish',
  usage: ['bash | zsh | fish'],
  overview: 'SHELL',
  arguments: { SHELL: Object.keys(SCRIPTS) },
  takes: 'a shell: svc completion bash, zsh or fish.',
  description: `
Print a script that completes commands, options, projects and triggers with the tab key.

  bash: echo 'source <(svc completion bash)' >> ~/.bashrc
  zsh:  echo 'source <(svc completion zsh)' >> ~/.zshrc  (after: autoload -Uz compinit; compinit)
  fish: mkdir -p ~/.config/fish/completions
        svc completion fish > ~/.config/fish/completions/svc.fish`,
  async run({ arguments: [shell = ''], terminal }) {
    terminal.text(SCRIPTS[shell] ?? '');
    return 0;
  },
};
