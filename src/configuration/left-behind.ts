/**
 * Files at the places where they were while `dataDir` did not move them. Without this check, a server
 * whose `dataDir` is not the default would start with an empty store.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isObject } from "../contract/is-object.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import type { Configuration } from "./configuration-schema.ts";

/** Returns one error per file, with what to do. `folder` is the folder of the configuration file. */
export function findLeftBehind(
  given: Readonly<Record<string, unknown>>,
  { sync, events }: Pick<Configuration, "sync" | "events">,
  folder: string,
): string[] {
  const errors: string[] = [];
  for (const [name, section] of Object.entries({ sync, events })) {
    const settings = given[name];
    if (section === undefined || !isObject(settings)) continue;
    for (const [key, path, former, prefix] of [
      ["store", sqlitePath(section.store), `./data/${name}.db`, "sqlite:"],
      ["instanceKeyFile", section.instanceKeyFile, "./data/instance.key", ""],
    ] as const) {
      const from = resolve(folder, former);
      if (settings[key] !== undefined || path === undefined || path === from) continue;
      if (existsSync(path) || !existsSync(from)) continue;
      errors.push(
        `${name}.${key} is now in dataDir by default: move "${from}" to "${path}", or set ${name}.${key} to "${prefix}${former}"`,
      );
    }
  }
  return errors;
}
