/** The catalogue, its manifest and its keys. */
import { join } from "node:path";
import { parseDateTime } from "../../contract/date-time.ts";
import { readCatalogStatus, type CatalogStatus } from "../../release/publishing/catalog-status.ts";
import { findKeyError } from "../../release/publishing/key-files.ts";
import type { ReleaseConfiguration } from "../configuration-schema.ts";
import { fault, ok, warning, type Finding } from "./finding.ts";

type ValidStatus = Extract<CatalogStatus, { kind: "valid" }>;

export async function examineRelease(
  release: ReleaseConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  const keysFolder = join(dataDir, "keys");
  const status = await readCatalogStatus(release.catalog, keysFolder, now);
  if (status.kind === "invalid") {
    return status.faults.map(({ file, path, problem, remedy }) =>
      fault("catalogue", `${[file, path].filter(Boolean).join(": ")} ${problem}`, remedy),
    );
  }
  return [
    ok("catalogue", `${status.folder} is valid (product "${status.product}")`),
    ...status.warnings.map((message) =>
      warning("catalogue", message, "see `trellis release status`"),
    ),
    ...examineManifest(status, now),
    ...(await examineKeys(status, keysFolder)),
  ];
}

function examineManifest({ manifest }: ValidStatus, now: number): Finding[] {
  if (manifest === null) {
    return [
      warning("manifest", "there is none: clients that verify cannot update", "publish a release"),
    ];
  }
  const days = Math.floor(manifest.secondsLeft / 86_400);
  if (manifest.isExpired) {
    return [fault("manifest", `it expired on ${manifest.expiresAt}`, "run `trellis release sign`")];
  }
  // A clock that is behind would keep an expired manifest alive.
  if ((parseDateTime(manifest.issuedAt) ?? 0) > now) {
    return [
      fault(
        "clock",
        `the manifest was signed in the future (${manifest.issuedAt})`,
        "set the clock",
      ),
    ];
  }
  return [ok("manifest", `sequence ${manifest.sequence}, valid for ${days} more days`)];
}

async function examineKeys({ keys }: ValidStatus, keysFolder: string): Promise<Finding[]> {
  if (keys.length === 0) {
    return [warning("keys", "there are none yet", "run `trellis release key new`")];
  }
  const ring = Object.fromEntries(keys.map(({ keyId, publicKey }) => [keyId, publicKey]));
  return Promise.all(
    keys.map(async ({ keyId, role, isHere }) => {
      if (!isHere) {
        return role === "active"
          ? warning("keys", `the active key ${keyId} is not on this machine`, "sign where it is")
          : ok("keys", `${keyId} (${role}) is kept elsewhere`);
      }
      const problem = await findKeyError(keysFolder, keyId, ring);
      return problem === null
        ? ok("keys", `${keyId} (${role}) is here and closed to others`)
        : fault("keys", problem, "nothing can be signed with it until then");
    }),
  );
}
