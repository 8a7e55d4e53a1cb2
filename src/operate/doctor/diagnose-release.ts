import { join } from "node:path";
import { parseDateTime } from "../../contract/date-time.ts";
import { readWholeCatalog } from "../../release/catalog/read-catalog.ts";
import { LOST_MANIFEST_REMEDY } from "../../release/catalog/explain-manifest.ts";
import { readCatalogStatus, type CatalogStatus } from "../../release/publishing/catalog-status.ts";
import { inspectKeyFile } from "../../release/publishing/key-files.ts";
import { SIGNED_ELSEWHERE } from "../../release/publishing/updater-keys.ts";
import { MAX_ACCEPTED_MANIFEST_BYTES } from "../../contract/release/values.ts";
import { toKibibytes } from "../../rules/release/manifest-size.ts";
import { toRingKey } from "../../rules/release/updater-keys.ts";
import type { ReleaseConfiguration } from "../../configuration/configuration-schema.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

type ValidStatus = Extract<CatalogStatus, { kind: "valid" }>;

export async function diagnoseRelease(
  release: ReleaseConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  const keysFolder = join(dataDir, "keys");
  const { catalog, feeds } = release;
  const status = await readCatalogStatus(catalog, keysFolder, now, feeds, readWholeCatalog);
  if (status.kind === "invalid") {
    return status.errors.map(({ file, path, problem, remedy }) =>
      errorFinding("catalogue", `${[file, path].filter(Boolean).join(": ")} ${problem}`, remedy),
    );
  }
  return [
    ok("catalogue", `${status.folder} is valid (product "${status.product}")`),
    ...status.warnings
      // A manifest that is lost is an error of its own.
      .filter(() => status.manifest !== null || !status.hasHistory)
      .map((message) => warning("catalogue", message, "see `trellis release status`")),
    ...checkManifest(status, now),
    ...(await checkKeys(status, keysFolder)),
  ];
}

function checkManifest({ manifest, hasHistory }: ValidStatus, now: number): Finding[] {
  if (manifest === null && hasHistory) {
    return [
      errorFinding(
        "manifest",
        "it is missing, although releases are published, so no client can verify them",
        LOST_MANIFEST_REMEDY,
      ),
    ];
  }
  if (manifest === null) {
    return [
      warning(
        "manifest",
        "there is no manifest, so clients that verify it cannot update",
        "publish a release",
      ),
    ];
  }
  const days = Math.floor(manifest.secondsLeft / 86_400);
  if (manifest.isExpired) {
    return [
      errorFinding("manifest", `it expired on ${manifest.expiresAt}`, "run `trellis release sign`"),
    ];
  }
  // With a slow clock an expired manifest would count as valid.
  if ((parseDateTime(manifest.issuedAt) ?? 0) > now) {
    return [
      errorFinding(
        "clock",
        `the manifest was signed in the future (${manifest.issuedAt})`,
        "set the clock",
      ),
    ];
  }
  return [
    ok("manifest", `sequence ${manifest.sequence}, valid for ${days} more days`),
    ...checkSize(manifest),
  ];
}

function checkSize({ bytes, largest }: NonNullable<ValidStatus["manifest"]>): Finding[] {
  if (largest === null) return [];
  const size = `it has ${toKibibytes(bytes)}, which every copy downloads (${largest})`;
  const remedy = "run `trellis release sign`, which archives old releases, or shorten later notes";
  return bytes > MAX_ACCEPTED_MANIFEST_BYTES
    ? [errorFinding("manifest", `${size}, and update clients refuse more than 8 MiB`, remedy)]
    : [warning("manifest", size, remedy)];
}

async function checkKeys(
  { keys, updaterKeys }: ValidStatus,
  keysFolder: string,
): Promise<Finding[]> {
  if (keys.length === 0) {
    return [warning("keys", "there are no keys yet", "run `trellis release key new`")];
  }
  const ring = Object.fromEntries(keys.map(({ keyId, publicKey }) => [keyId, publicKey]));
  return Promise.all([
    ...keys.map(async ({ keyId, role, isHere }) => {
      if (!isHere) {
        return role === "active"
          ? warning(
              "keys",
              `the active key ${keyId} is not on this machine`,
              "sign on the machine that has it",
            )
          : ok("keys", `${keyId} (${role}) is not on this machine`);
      }
      if (role === "revoked") {
        return warning(
          "keys",
          `the private key of ${keyId} is still on this machine, although it is revoked`,
          "destroy it",
        );
      }
      return describeKeyFile(keyId, role, await inspectKeyFile(keysFolder, keyId, ring));
    }),
    ...updaterKeys.map(async ({ keyId, kind, publicKey, isHere }) => {
      if (!isHere) return ok("keys", `${keyId} (${kind}) is not on this machine`);
      const own = { [keyId]: toRingKey(kind, publicKey) };
      const file = await inspectKeyFile(keysFolder, keyId, own, SIGNED_ELSEWHERE[kind]);
      return describeKeyFile(keyId, kind, file);
    }),
  ]);
}

function describeKeyFile(
  keyId: string,
  purpose: string,
  file: Awaited<ReturnType<typeof inspectKeyFile>>,
): Finding {
  if (file.kind === "refused") {
    return errorFinding("keys", file.message, "until this is fixed, the key cannot sign");
  }
  const state = `${keyId} (${purpose}) is readable by this user only`;
  return file.isEncrypted
    ? ok("keys", `${state}, and sealed`)
    : warning(
        "keys",
        `${state}, but not encrypted: a copy of the file is enough to sign`,
        "create keys with a passphrase: `trellis release key new --passphrase-stdin`",
      );
}
