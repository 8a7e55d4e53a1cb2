import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, which `remove` or the end of `await using` removes. */
export function createFolder() {
  return mkdtempDisposable(join(tmpdir(), "trellis-bench-"));
}
