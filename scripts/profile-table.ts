/** The table of the profile `habits` on the page of the sync protocol, from the rules that validate it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MAX_SETTING_BYTES } from "../src/contract/sync/operation-limits.ts";
import {
  ENTRY_FIELDS,
  HABIT_FIELDS,
  IDENTITY_EXPECTED,
} from "../src/rules/sync/validate-payload.ts";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "./page-blocks.ts";

const PAGE = "docs/protocol/sync.md";

export async function generateProfileTable(): Promise<GeneratedFile[]> {
  const text = await readFile(join(import.meta.dirname, "..", PAGE), "utf8");
  return [{ path: PAGE, content: replaceBlock(text, "profile habits", createTable()) }];
}

function createTable(): string {
  return formatMarkdownTable([
    ["Type", "Field", "Required", "Value"],
    ...fieldRows("habit", ["id"], HABIT_FIELDS),
    ...fieldRows("entry", ["habitId", "date"], ENTRY_FIELDS),
    [
      "`setting`",
      "`value`",
      "yes, alone",
      `any value whose JSON has at most ${MAX_SETTING_BYTES} bytes`,
    ],
  ]);
}

function fieldRows(
  type: string,
  identity: readonly string[],
  fields: typeof HABIT_FIELDS,
): string[][] {
  return [
    ...identity.map((name) => row(type, name, true, IDENTITY_EXPECTED)),
    ...fields.map(([name, { expected, isOptional }]) =>
      row(type, name, isOptional !== true, expected),
    ),
  ];
}

function row(type: string, name: string, isRequired: boolean, value: string): string[] {
  return [`\`${type}\``, `\`${name}\``, isRequired ? "yes" : "no", value];
}
