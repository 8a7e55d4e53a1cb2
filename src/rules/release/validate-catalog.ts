/** Finds every error of a catalogue: each with its file, the path in it, what is wrong, what to do. */
import { createChecker } from "../../contract/check.ts";
import { CatalogFile, KeyRing, type SourceRelease } from "../../contract/release/catalog.ts";
import type { Catalog } from "./catalog.ts";
import { checkAgainstSchema, type CatalogFileError } from "./catalog-file-error.ts";
import { ARCHIVE_FILE, CATALOG_FILE, KEYS_FILE } from "./catalog-files.ts";
import { checkHistory, type ReleaseSource } from "./check-history.ts";
import { listUpdaterKeys } from "./updater-keys.ts";
import { validateRelease } from "./validate-release.ts";

/** The parsed files of a catalogue folder. */
export interface CatalogFiles {
  readonly catalog: unknown;
  readonly keys: unknown;
  readonly releases: readonly { readonly file: string; readonly value: unknown }[];
  /** Those of the archive never change, and a signed digest covers them: each was checked before it was signed. */
  readonly archived?: readonly SourceRelease[];
}

export type CatalogValidationResult =
  | { readonly kind: "valid"; readonly catalog: Catalog }
  | { readonly kind: "invalid"; readonly errors: readonly CatalogFileError[] };

export function validateCatalog(files: CatalogFiles): CatalogValidationResult {
  const errors: CatalogFileError[] = [];
  const { settings, keys } = validateSettings(files, errors);
  const sources: ReleaseSource[] = [];
  const archived = new Map((files.archived ?? []).map((release) => [release.version, release]));
  for (const { file, value } of files.releases) {
    const release = validateRelease(file, value, settings?.artifactHosts ?? [], errors);
    if (release === undefined) continue;
    if (release.status !== "draft" && archived.has(release.version)) errors.push(inArchive(file));
    else sources.push({ file, release });
  }
  for (const release of archived.values()) sources.push({ file: ARCHIVE_FILE, release });
  sources.sort((a, b) => b.release.buildNumber - a.release.buildNumber);
  errors.push(...checkHistory(sources, settings));
  if (errors.length > 0 || settings === undefined || keys === undefined) {
    return { kind: "invalid", errors };
  }
  const releases = sources.map(({ release }) => release);
  return { kind: "valid", catalog: { settings, keys, releases } };
}

/** Version control brings the file back when one side of a merge changed what the other moved. */
function inArchive(file: string): CatalogFileError {
  const problem = `is still there, although ${ARCHIVE_FILE} has the release`;
  const remedy =
    "delete the file; if it says that the release was withdrawn, run `trellis release withdraw` again";
  return { file, path: "", problem, remedy };
}

/** The files that describe no release; a file that is not as its schema says is left out. */
function validateSettings(
  files: Pick<CatalogFiles, "catalog" | "keys">,
  errors: CatalogFileError[],
): Partial<Pick<Catalog, "settings" | "keys">> {
  const settings = checkAgainstSchema(catalogChecker, CATALOG_FILE, files.catalog, errors);
  const keys = checkAgainstSchema(keysChecker, KEYS_FILE, files.keys, errors);
  if (settings !== undefined && keys !== undefined) {
    errors.push(...checkSigning(settings, keys), ...checkUpdaterKeys(settings, keys));
  }
  return { ...(settings !== undefined && { settings }), ...(keys !== undefined && { keys }) };
}

const catalogChecker = createChecker(CatalogFile);
const keysChecker = createChecker(KeyRing);

/** Before the first key is made the ring is empty, and nothing is signed. */
function checkSigning({ signing }: CatalogFile, keys: KeyRing): CatalogFileError[] {
  if (Object.keys(keys).length === 0) return [];
  const { revoked = [] } = signing;
  return (["active", "standby"] as const).flatMap((role) => {
    const keyId = signing[role];
    if (keyId === undefined) return [];
    const at = { file: CATALOG_FILE, path: `signing.${role}` };
    if (revoked.includes(keyId)) {
      const remedy = "name another key: a revoked key does not return";
      return [{ ...at, problem: `"${keyId}" is revoked`, remedy }];
    }
    if (Object.hasOwn(keys, keyId)) return [];
    const remedy = "add its public key, or name a key that is there";
    return [{ ...at, problem: `"${keyId}" is not in ${KEYS_FILE}`, remedy }];
  });
}

/** A key has one purpose: what signs files for other updaters never signs a manifest. */
function checkUpdaterKeys(settings: CatalogFile, ring: KeyRing): CatalogFileError[] {
  const { active, standby, revoked = [] } = settings.signing;
  const takenIds = new Set<string | undefined>([...Object.keys(ring), ...revoked, active, standby]);
  const publicKeys = new Map(Object.entries(ring).map(([keyId, key]) => [key, keyId]));
  const errors: CatalogFileError[] = [];
  for (const { kind, keyId, ringKey } of listUpdaterKeys(settings)) {
    const at = { file: CATALOG_FILE, path: `updaterKeys.${kind}` };
    if (takenIds.has(keyId)) {
      const remedy = `make a key of its own with \`trellis release key new --kind ${kind}\``;
      errors.push({ ...at, problem: `"${keyId}" is the id of another key`, remedy });
    }
    const owner = publicKeys.get(ringKey);
    if (owner !== undefined) {
      const remedy = "use a key of its own for each purpose";
      errors.push({ ...at, problem: `has the public key of "${owner}"`, remedy });
    }
    takenIds.add(keyId);
    publicKeys.set(ringKey, keyId);
  }
  return errors;
}
