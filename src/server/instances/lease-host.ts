import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { takeLease, type Lease } from "../../database/lease.ts";
import { PRODUCT_VERSION } from "../../database/product-version.ts";
import { INSTANCES_FOLDER } from "./instance.ts";

export class OtherVersionError extends Error {
  constructor(version: string) {
    super(`A server of ${version} serves these instances: stop it, then try again`);
    this.name = "OtherVersionError";
  }
}

/**
 * A host has no lease on an instance that is idle. So each version has a lease on the folder of all instances,
 * and no other version serves or migrates them meanwhile.
 */
export async function leaseHost(dataDir: string): Promise<Lease> {
  const folder = join(dataDir, INSTANCES_FOLDER);
  const leaseOf = (version: string, mode: "shared" | "exclusive") =>
    takeLease(`sqlite:${join(folder, `host-${version}`)}`, "sync", mode);
  const own = await leaseOf(PRODUCT_VERSION, "shared");
  // A server of another version starts just now, and looks for this one.
  if (own === null) throw new OtherVersionError("another version");
  try {
    for (const name of await readdir(folder)) {
      const version = /^host-(?<version>.+)\.lock$/.exec(name)?.groups?.["version"];
      if (version === undefined || version === PRODUCT_VERSION) continue;
      const other = await leaseOf(version, "exclusive");
      if (other === null) throw new OtherVersionError(`version ${version}`);
      await other.release();
    }
    return own;
  } catch (error) {
    await own.release();
    throw error;
  }
}
