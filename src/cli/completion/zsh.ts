import { optionsWith, type CompletionNode, type CompletionWord } from "./describe-commands.ts";

export function renderZshCompletion(nodes: readonly CompletionNode[]): string {
  return `#compdef trellis
# Completion of trellis in zsh

_trellis_node() {
  commands=() options=() files=() texts=()
  case "$1" in
${nodes.map(renderNode).join("\n")}
    *) return 1 ;;
  esac
}

_trellis() {
  local -a commands options files texts
  local place=trellis value= word
  local -i index
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n "$value" ]]; then value=; continue; fi
    _trellis_node "$place"
    if [[ "$word" == -* ]]; then
      if (( \${files[(Ie)$word]} )); then value=file; fi
      if (( \${texts[(Ie)$word]} )); then value=text; fi
      continue
    fi
    if _trellis_node "$place $word"; then place="$place $word"; fi
  done
  _trellis_node "$place"
  if [[ "$value" == file ]]; then _files; return; fi
  if [[ "$value" == text ]]; then _message 'value'; return; fi
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe -o 'option' options; return; fi
  if (( \${#commands} )); then _describe 'command' commands; else _files; fi
}

if [[ "\${funcstack[1]}" == _trellis ]]; then
  _trellis "$@"
else
  compdef _trellis trellis
fi`;
}

function renderNode(node: CompletionNode): string {
  const { path, commands, options } = node;
  return `    '${path}')
      commands=(${commands.map(describe).join(" ")})
      options=(${options.map(describe).join(" ")})
      files=(${optionsWith(node, "file").join(" ")})
      texts=(${optionsWith(node, "text").join(" ")}) ;;`;
}

/** `_describe` splits at the first colon that has no backslash. */
function describe({ word, description }: CompletionWord): string {
  const text = `${word}:${description.replaceAll(/[\\:]/g, String.raw`\$&`)}`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
