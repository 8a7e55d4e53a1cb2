/** Help pages, rendered from the tree of commands. */
import type { Command, CommandGroup, OptionSpec } from "./command.ts";
import { argumentLabel, COMMON_OPTIONS, isGroup, loadBranch } from "./parse-command-line.ts";

const WIDTH = 96;

export async function renderHelp(
  path: readonly string[],
  target: Command | CommandGroup,
): Promise<string> {
  const name = ["trellis", ...path].join(" ");
  const sections = isGroup(target)
    ? await groupSections(name, target)
    : commandSections(name, target);
  const head = [`${name}: ${target.summary}`];
  if (target.description !== undefined) head.push("", ...wrap(target.description, WIDTH));
  return [...head, ...sections.flatMap((section) => ["", ...section])].join("\n");
}

async function groupSections(name: string, group: CommandGroup): Promise<string[][]> {
  const rows = await Promise.all(
    Object.entries(group.commands).map(
      async ([word, branch]) => [word, (await loadBranch(branch)).summary] as [string, string],
    ),
  );
  return [
    [`Usage: ${name} <command>`],
    ["Commands:", ...columns(rows)],
    [`Run \`${name} <command> --help\` for the options of a command.`],
  ];
}

function commandSections(name: string, command: Command): string[][] {
  const args = Object.entries(command.arguments ?? {});
  const options = Object.entries(command.options ?? {});
  const usage = [
    name,
    ...args.map(([label, { required, multiple }]) => {
      const text = argumentLabel(label) + (multiple === true ? "..." : "");
      return required === true ? text : `[${text}]`;
    }),
    ...options
      .filter(([, { required }]) => required === true)
      .map(([option, spec]) => optionLabel(option, spec)),
    "[options]",
  ];
  const [first = "", ...more] = wrap(`Usage: ${usage.join(" ")}`, WIDTH - 4);
  const sections = [[first, ...more.map((line) => `    ${line}`)]];
  if (args.length > 0) {
    const rows = args.map(
      ([label, { description }]) => [argumentLabel(label), description] as [string, string],
    );
    sections.push(["Arguments:", ...columns(rows)]);
  }
  if (options.length > 0) sections.push(["Options:", ...columns(options.map(optionRow))]);
  sections.push(["Common options:", ...columns(Object.entries(COMMON_OPTIONS).map(optionRow))]);
  if (command.examples !== undefined) {
    sections.push(["Examples:", ...command.examples.map((example) => `  ${example}`)]);
  }
  return sections;
}

function optionRow([name, spec]: [string, OptionSpec]): [string, string] {
  const notes = [
    spec.required === true ? "required" : "",
    spec.multiple === true ? "may be repeated" : "",
  ].filter((note) => note !== "");
  const suffix = notes.length > 0 ? ` (${notes.join(", ")})` : "";
  return [optionLabel(name, spec), spec.description + suffix];
}

function optionLabel(name: string, spec: OptionSpec): string {
  return spec.type === "boolean" ? `--${name}` : `--${name} ${spec.value ?? "VALUE"}`;
}

function columns(rows: readonly [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrap(right, WIDTH - width - 4).map(
      (line, index) => `  ${(index === 0 ? left : "").padEnd(width)}  ${line}`,
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
