import { type Command, EXIT, UsageError } from '../command.ts';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_archipay() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(archipay __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _archipay archipay`,
  zsh: `#compdef archipay
_archipay() {
  local -a found
  found=("\${(@f)$(archipay __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _archipay archipay`,
  fish: `function __archipay_complete
  archipay __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c archipay -f -a '(__archipay_complete)'`,
};

export const completion: Command = {
  name: 'completion',
  summary: 'Prints the completion of a shell',
  usage: 'bash | zsh | fish',
  complete: (words) => (words.length <= 1 ? Object.keys(SCRIPTS) : []),
  async run({ output }, { words }) {
    const script = SCRIPTS[words[0] ?? ''];
    if (script === undefined) throw new UsageError('archipay completion bash, zsh or fish');
    output.line(script);
    return EXIT.ok;
  },
};
