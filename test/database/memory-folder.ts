/**
 * Where the PostgreSQL servers of the tests keep their files: in memory if there is plenty of it. To
 * create a database writes 300 files, which takes a tenth of the CPU time there.
 */
import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Of Linux; containers often have one that is far too small. */
const IN_MEMORY = "/dev/shm";
/** Four times what a run of all tests has used. */
const NEEDED_BYTES = 4 * 1024 ** 3;

export function findMemoryFolder(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
