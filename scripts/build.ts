/** Compiles `dist/`, from nothing, for publishing. */
import { spawnSync } from "node:child_process";
import { chmod, cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { vendorTypebox } from "./vendor-typebox.ts";

const ROOT = join(import.meta.dirname, "..");

for (const stale of ["dist", ".cache/tsc"])
  await rm(join(ROOT, stale), { recursive: true, force: true });
const { status } = spawnSync("tsc", ["-b", "tsconfig/cli.json"], { cwd: ROOT, stdio: "inherit" });
if (status === 0) {
  await chmod(join(ROOT, "dist/cli/trellis.js"), 0o755);
  // The compiler knows nothing of migrations.
  for (const folder of ["identity", "sync", "events"]) {
    const migrations = join(folder, "migrations");
    await cp(join(ROOT, "src", migrations), join(ROOT, "dist", migrations), { recursive: true });
  }
  await vendorTypebox(join(ROOT, "dist"));
}
process.exitCode = status ?? 1;
