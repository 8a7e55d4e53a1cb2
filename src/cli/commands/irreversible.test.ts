/** Commands that cannot be taken back say what they will do, and ask. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandEntry, CommandGroup } from "../command.ts";
import { isGroup } from "../parse-command-line.ts";
import { rootCommand } from "./root.ts";

const VERBS = new Set(
  "compact delete discard drop migrate purge remove rename replace restore revoke rotate unsubscribe withdraw".split(
    " ",
  ),
);
/** Commands whose name does not tell: they replace, raise for good, or change much at once. */
const OTHERS = [
  "events import",
  "release add",
  "release publish",
  "release rollout",
  "release upload",
  "sync host-key apply",
];

function listCommands(group: CommandGroup, path: readonly string[] = []): [string, CommandEntry][] {
  return Object.entries(group.commands).flatMap(([name, target]) =>
    isGroup(target)
      ? listCommands(target, [...path, name])
      : [[[...path, name].join(" "), target] as [string, CommandEntry]],
  );
}

test("a command that cannot be taken back has --yes and --dry-run, and no other has one of them", async () => {
  const found: string[] = [];
  for (const [name, entry] of listCommands(rootCommand)) {
    const { options = {} } = await entry.load();
    const given = ["yes", "dry-run"].filter((option) => Object.hasOwn(options, option));
    if (given.length === 2) found.push(name);
    else assert.deepEqual(given, [], name);
    const isNamed = VERBS.has(name.split(" ").at(-1) ?? "");
    if (isNamed) assert.equal(given.length, 2, name);
  }
  assert.deepEqual(
    OTHERS.filter((name) => !found.includes(name)),
    [],
  );
});
