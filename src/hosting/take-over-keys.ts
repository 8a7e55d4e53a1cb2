/**
 * Earlier builds had the key of each instance in a file, also where its rows are in a PostgreSQL database. It is
 * sealed there, so that each machine with the host's key can serve the instance.
 */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Instance } from "../configuration/instance.ts";
import { addInstance } from "../database/named-instance.ts";
import { useDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { keyPlaceOf, placeKey } from "../identity/key-place.ts";
import { KeyFileError, readKeyRing } from "../identity/instance-key.ts";

/** Those of the instances whose key is in a file of this machine. */
export function listKeyFiles(instances: readonly Instance[], store: string): readonly Instance[] {
  if (sqlitePath(store) !== undefined) return [];
  return instances.filter(({ sync }) => existsSync(sync.instanceKeyFile));
}

/** The file stays, under another name. */
export async function takeOverKey({ name, sync }: Instance, store: string): Promise<void> {
  const path = sync.instanceKeyFile;
  const ring = readKeyRing(path);
  if (ring === null) return;
  await addInstance(store, name);
  const placed = await useDatabase(sync.store, {}, (database) =>
    database.transaction((tx) => placeKey(keyPlaceOf(sync), tx, ring)),
  );
  if (!isDeepStrictEqual(placed.secret, ring.secret)) {
    throw new KeyFileError(
      `The instance key "${path}" is not the one that the database has of the instance: move the file away`,
    );
  }
  await rename(path, `${path}.moved`);
}
