/** Help pages, rendered from the command table. */
import type { Command, CommandGroup, OptionSpec } from "./command.ts";
import { argumentLabel, COMMON_OPTIONS, optionLabel } from "./parse-command-line.ts";

const WIDTH = 96;

type Row = readonly [label: string, description: string];

export function renderGroupHelp(path: readonly string[], { summary, commands }: CommandGroup) {
  const name = ["trellis", ...path].join(" ");
  return joinSections([
    [`${name}: ${summary}`],
    [`Usage: ${name} <command>`],
    [
      "Commands:",
      ...columns(Object.entries(commands).map(([word, entry]) => [word, entry.summary])),
    ],
    [`Run \`${name} <command> --help\` for the options of a command.`],
  ]);
}

export function renderCommandHelp(path: readonly string[], summary: string, command: Command) {
  const name = ["trellis", ...path].join(" ");
  const { description, examples } = command;
  const args = Object.entries(command.arguments ?? {});
  const options = Object.entries(command.options ?? {});
  const [first = "", ...more] = wrap(`Usage: ${commandUsage(name, command)}`, WIDTH - 4);
  return joinSections([
    [`${name}: ${summary}`],
    description === undefined ? [] : wrap(description, WIDTH),
    [first, ...more.map((line) => `    ${line}`)],
    titled(
      "Arguments:",
      columns(args.map(([label, spec]) => [argumentLabel(label), spec.description])),
    ),
    titled("Options:", columns(options.map(optionRow))),
    titled("Common options:", columns(Object.entries(COMMON_OPTIONS).map(optionRow))),
    titled(
      "Examples:",
      (examples ?? []).map((example) => `  ${example}`),
    ),
  ]);
}

/** `trellis sync restore FILE [options]`, with the options that must be given. */
export function commandUsage(name: string, command: Command): string {
  const required = Object.entries(command.options ?? {}).filter(
    ([, spec]) => spec.required === true,
  );
  return [
    name,
    ...argumentUsage(command).filter((text) => !isBehindDashes(text)),
    ...required.map(([option, spec]) => optionLabel(option, spec)),
    "[options]",
    ...argumentUsage(command).filter(isBehindDashes),
  ].join(" ");
}

/** The arguments as they stand on the command line: `VERSION`, `[FILES...]`, `[-- COMMAND...]`. */
function argumentUsage(command: Command): string[] {
  return Object.entries(command.arguments ?? {}).map(([label, spec]) => {
    const dashes = spec.isBehindDashes === true ? "-- " : "";
    const text = dashes + argumentLabel(label) + (spec.multiple === true ? "..." : "");
    return spec.required === true ? text : `[${text}]`;
  });
}

function isBehindDashes(usage: string): boolean {
  return usage.startsWith("[-- ");
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function joinSections(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

export function optionRow([name, spec]: [string, OptionSpec]): Row {
  const notes = [
    ...(spec.required === true ? ["required"] : []),
    ...(spec.multiple === true ? ["may be repeated"] : []),
  ];
  const suffix = notes.length > 0 ? ` (${notes.join(", ")})` : "";
  return [optionLabel(name, spec), spec.description + suffix];
}

function columns(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.flatMap(([label, description]) =>
    wrap(description, WIDTH - width - 4).map(
      (line, index) => `  ${(index === 0 ? label : "").padEnd(width)}  ${line}`,
    ),
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
