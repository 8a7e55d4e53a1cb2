import type { CompletionNode, CompletionWord } from "./describe-commands.ts";

export function renderFishCompletion(nodes: readonly CompletionNode[]): string {
  const withValue = nodes.flatMap(({ path, options }) =>
    options.filter(({ value }) => value !== "none").map(({ word }) => quote(`${path} ${word}`)),
  );
  return `# Completion of trellis in fish
set -g __trellis_paths ${nodes.map(({ path }) => quote(path)).join(" ")}
set -g __trellis_values ${withValue.join(" ")}

function __trellis_at
    set -l place trellis
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if string match -q -- '-*' $word
            if contains -- "$place $word" $__trellis_values
                set skip 1
            end
        else if contains -- "$place $word" $__trellis_paths
            set place "$place $word"
        end
    end
    test "$place" = "$argv"
end

${nodes.map(renderNode).join("\n")}`;
}

function renderNode({ path, commands, options }: CompletionNode): string {
  const rule = `complete -c trellis -n ${quote(`__trellis_at ${path}`)}`;
  return [
    ...commands.map((word) => `${rule} -f -a ${word.word} ${describe(word)}`),
    ...options.map((option) => {
      const value = { none: "", file: " -r -F", text: " -x" }[option.value];
      return `${rule}${value} -l ${option.word.slice(2)} ${describe(option)}`;
    }),
  ].join("\n");
}

function describe({ description }: CompletionWord): string {
  return `-d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
