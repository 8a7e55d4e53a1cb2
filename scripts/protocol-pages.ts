/** The tables of the protocol pages: what is refused, and the fields of the profile `habits`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EVENTS_CONTRACT } from "../src/contract/events/routes.ts";
import { RELEASE_API } from "../src/contract/release/feed-routes.ts";
import {
  EVENTS_STRICTNESS,
  RELEASE_STRICTNESS,
  SYNC_STRICTNESS,
} from "../src/contract/strictness.ts";
import { MAX_SETTING_BYTES } from "../src/contract/sync/operation-limits.ts";
import { SYNC_CONTRACT } from "../src/contract/sync/routes.ts";
import {
  ENTRY_FIELDS,
  HABIT_FIELDS,
  IDENTITY_EXPECTED,
} from "../src/rules/sync/validate-payload.ts";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "./page-blocks.ts";
import { createStrictnessTables } from "./strictness-tables.ts";

const BLOCKS_BY_PAGE = {
  release: { "what is refused": () => createStrictnessTables(RELEASE_STRICTNESS, RELEASE_API) },
  sync: {
    "what is refused": () => createStrictnessTables(SYNC_STRICTNESS, SYNC_CONTRACT),
    "profile habits": createProfileTable,
  },
  events: { "what is refused": () => createStrictnessTables(EVENTS_STRICTNESS, EVENTS_CONTRACT) },
};

export function generateProtocolPages(): Promise<GeneratedFile[]> {
  return Promise.all(
    Object.entries(BLOCKS_BY_PAGE).map(async ([name, blocks]) => {
      const path = `docs/protocol/${name}.md`;
      const text = await readFile(join(import.meta.dirname, "..", path), "utf8");
      const content = Object.entries(blocks).reduce(
        (page, [block, create]) => replaceBlock(page, block, create()),
        text,
      );
      return { path, content };
    }),
  );
}

function createProfileTable(): string {
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
