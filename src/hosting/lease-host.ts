import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { StorageUnavailableError } from "../database/database.ts";
import type { Lease, LeaseMode } from "../database/lease-mode.ts";
import { takeLease } from "../database/lease.ts";
import { PRODUCT_VERSION } from "../database/product-version.ts";
import { INSTANCES_FOLDER } from "../configuration/instance.ts";

/** The instances cannot be served or migrated now; the message says what to do. */
export class HostLeaseError extends Error {
  override readonly name = "HostLeaseError";
}

/**
 * A host has no lease on an instance that is idle. So each version has a lease on the folder of all instances,
 * and no other version serves or migrates them meanwhile.
 */
export async function leaseHost(dataDir: string, mode: LeaseMode = "shared"): Promise<Lease> {
  const folder = join(dataDir, INSTANCES_FOLDER);
  const own = await leaseVersion(folder, PRODUCT_VERSION, mode);
  // A server of another version starts just now, and looks for this one.
  if (own === null) throw otherVersion(mode === "shared" ? "another version" : "this version");
  try {
    for (const name of await readdir(folder)) {
      const version = /^host-(?<version>.+)\.lock$/.exec(name)?.groups?.["version"];
      if (version === undefined || version === PRODUCT_VERSION) continue;
      const other = await leaseVersion(folder, version, "exclusive");
      if (other === null) throw otherVersion(`version ${version}`);
      await other.release();
    }
    return own;
  } catch (error) {
    await own.release();
    throw error;
  }
}

function otherVersion(version: string): HostLeaseError {
  return new HostLeaseError(
    `A server of ${version} serves these instances: stop it, then try again`,
  );
}

async function leaseVersion(
  folder: string,
  version: string,
  mode: LeaseMode,
): Promise<Lease | null> {
  const path = join(folder, `host-${version}`);
  try {
    return await takeLease(`sqlite:${path}`, "sync", mode);
  } catch (error) {
    if (!(error instanceof StorageUnavailableError)) throw error;
    // It belongs to no store, so that `doctor` does not show it.
    throw new HostLeaseError(
      `The lock file "${path}.lock" cannot be used: ${error.reason}. A command of another user, such as root, may have created it: give it to the user of the server, or remove it while no server runs`,
    );
  }
}
