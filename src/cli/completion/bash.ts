import { optionsWith, type CompletionNode } from "./describe-commands.ts";

/** macOS has bash 3.2, so the script uses neither associative arrays nor the bash-completion package. */
export function renderBashCompletion(nodes: readonly CompletionNode[]): string {
  return `# Completion of trellis in bash
_trellis_words() {
  case "$1" in
${nodes.map((node) => `    '${node.path}') echo '${listWords(node).join(" ")}' ;;`).join("\n")}
  esac
}

_trellis_value() {
  case "$1" in
${renderValues(nodes)}
  esac
}

_trellis() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path=trellis value= word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ "$word" == = ]]; then continue; fi
    if [[ -n "$value" ]]; then value=; continue; fi
    if [[ "$word" == -* ]]; then value="$(_trellis_value "$path $word")"; continue; fi
    if [[ -n "$(_trellis_words "$path $word")" ]]; then path="$path $word"; fi
  done
  if [[ "$current" == = ]]; then current=; fi
  COMPREPLY=()
  if [[ "$value" == file ]]; then return; fi
  if [[ "$value" == text ]]; then
    if type compopt >/dev/null 2>&1; then compopt +o default; fi
    return
  fi
  COMPREPLY=($(compgen -W "$(_trellis_words "$path")" -- "$current"))
}

complete -o default -F _trellis trellis`;
}

function listWords({ commands, options }: CompletionNode): string[] {
  return [...commands, ...options].map(({ word }) => word);
}

function renderValues(nodes: readonly CompletionNode[]): string {
  return nodes
    .flatMap((node) =>
      (["file", "text"] as const).flatMap((value) => {
        const patterns = optionsWith(node, value).map((word) => `'${node.path} ${word}'`);
        return patterns.length === 0 ? [] : [`    ${patterns.join(" | ")}) echo ${value} ;;`];
      }),
    )
    .join("\n");
}
