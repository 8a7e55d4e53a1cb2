/**
 * Every command of the command line: those that use a store with words for a call, the others with the
 * reason why they use none. A new command has to be entered here.
 */
import assert from "node:assert/strict";
import type { CommandEntry, CommandGroup } from "../../src/cli/command.ts";
import { rootCommand } from "../../src/cli/commands/root.ts";
import { isGroup } from "../../src/cli/parse-command-line.ts";

/** `FOLDER` has the configuration and, as `old.backup`, a backup of each service; `STORE` is the store. */
const WORDS: Readonly<Record<string, string>> = {
  serve: "",
  "sync account create": "--username eve --password-stdin",
  "sync account password": "--password-stdin",
  "sync account rename": "--to eve --yes",
  "sync account reset-link": "",
  "sync account links": "",
  "sync account revoke-link": "--all",
  "sync sign-in-link": "",
  "sync devices list": "",
  "sync devices revoke": "--all --yes",
  "sync key list": "",
  "sync key rotate": "--yes",
  "sync key drop": "000000000000 --yes",
  "sync status": "",
  "sync compact": "",
  "sync backup": "FOLDER/new.backup",
  "sync restore": "FOLDER/sync-old.backup --yes",
  "sync export": "FOLDER/new.json",
  "events account create": "--username eve --password-stdin",
  "events account password": "--username anna --password-stdin",
  "events account rename": "--username anna --to eve --yes",
  "events account reset-link": "--username anna",
  "events account links": "",
  "events account revoke-link": "--all",
  "events account invite": "",
  "events account remove": "--username anna --yes",
  "events account list": "",
  "events sign-in-link": "--account anna",
  "events import": "FOLDER/trellis.config.json --account anna",
  "events subscribe": "https://calendar.example.com/a.ics --account anna",
  "events subscriptions list": "",
  "events refresh": "",
  "events unsubscribe": "1 --account anna",
  "events grants list": "",
  "events grants revoke": "grant --yes",
  "events key list": "",
  "events key rotate": "--yes",
  "events key drop": "000000000000 --yes",
  "events status": "",
  "events backup": "FOLDER/new.backup",
  "events restore": "FOLDER/events-old.backup --yes",
  "store migrate": "--yes",
  "store copy": "--from STORE --to sqlite:FOLDER/copy.db",
};

const WITHOUT_STORE: Readonly<Record<string, string>> = {
  create: "It makes a folder with an app",
  demo: "It makes stores of its own",
  dev: "It has a store of its own, which it opens as `serve` does",
  init: "It writes a configuration",
  ready: "It asks a server",
  doctor: "It looks at every store, and lists what it finds",
  release: "A catalogue is no store",
  "sync verify": "It reads a backup",
  "events verify": "It reads a backup",
  "sync open": "It reads an export or a backup",
  // They change the list of instances and move folders; no table is read.
  "sync instance":
    "It manages instances, and opens a store only for `list --fresh`, `--adopt` and `--invite`",
  "sync host-key": "It seals the keys of instances, which are in no store",
  conformance: "It asks a server",
  completion: "It prints a script",
  help: "It prints a text",
};

/** The calls of all commands that use a store, as words. */
export function listStoreCommands(): string[] {
  const known = listCommands(rootCommand, []);
  const unknown = known.filter((path) => !Object.hasOwn(WORDS, path) && !isWithoutStore(path));
  assert.deepEqual(unknown, [], "enter it in this file");
  const gone = Object.keys(WORDS).filter((path) => !known.includes(path));
  assert.deepEqual(gone, [], "remove it from this file");
  return known
    .filter((path) => Object.hasOwn(WORDS, path))
    .map((path) => `${path} ${WORDS[path]}`.trim());
}

function listCommands(group: CommandGroup, path: readonly string[]): string[] {
  return Object.entries(group.commands).flatMap(
    ([name, target]: [string, CommandEntry | CommandGroup]) =>
      isGroup(target) ? listCommands(target, [...path, name]) : [[...path, name].join(" ")],
  );
}

function isWithoutStore(path: string): boolean {
  return Object.keys(WITHOUT_STORE).some(
    (prefix) => path === prefix || path.startsWith(`${prefix} `),
  );
}
