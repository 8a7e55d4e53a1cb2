/** The key of the host that a configuration describes. A host of files has none. */
import { createDirectory, hasDirectory, useDirectory } from "../database/named-instance.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { claimHostKey, expectHostKey, expectHostKeyFile } from "./host-key.ts";

interface Host {
  /** The store of the host, without an instance. */
  readonly store: string;
  readonly hostKeyFile: string;
}

/** Fails when this machine does not have the key of the host. Changes nothing. */
export async function expectKeyOfHost({ store, hostKeyFile }: Host): Promise<void> {
  if (sqlitePath(store) !== undefined) return;
  await useDirectory(store, async (directory) => {
    if (await hasDirectory(directory)) await expectHostKey(directory, hostKeyFile);
    else expectHostKeyFile(hostKeyFile);
  });
}

/** Makes the key of a host that has none yet, and returns its id; null for a host of files. */
export async function claimKeyOfHost({ store, hostKeyFile }: Host): Promise<string | null> {
  if (sqlitePath(store) !== undefined) return null;
  return useDirectory(store, async (directory) => {
    await createDirectory(directory);
    return directory.transaction((tx) => claimHostKey(tx, hostKeyFile));
  });
}
