/** The folder of a server that a person only tries: it is removed at the end. */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export async function createTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  const options = { recursive: true, force: true };
  // After a second signal, an error, or when the reader of the output has gone, the process exits at once.
  const removeAtExit = () => rmSync(path, options);
  process.on("exit", removeAtExit);
  return {
    path,
    async remove() {
      await rm(path, options);
      process.off("exit", removeAtExit);
    },
  };
}
