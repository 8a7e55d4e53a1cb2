/** Changes which keys sign, and re-signs the manifest in the same atomic step. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-files.ts";
import { recordRetired } from "../../rules/release/key-role.ts";
import { listUpdaterKeys } from "../../rules/release/updater-keys.ts";
import type { FileChange } from "../catalog/journal.ts";
import {
  changeCatalog,
  formatJson,
  hasHistory,
  publishingError,
  readForChange,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type PublishingError,
} from "./change-catalog.ts";
import type { PassphraseSource, SigningKey } from "./key-files.ts";
import { lostManifestError, signManifest, type SigningSummary } from "./sign-manifest.ts";
import { inspectSigningKey, openSigningKey } from "./signing-key.ts";

type Signing = CatalogFile["signing"];

export interface ChangedSigning {
  readonly signing: Signing;
  readonly previousActive: string;
  /** Null when nothing is published yet. */
  readonly manifest: SigningSummary | null;
}

/** The standby key takes over. Its predecessor stays trusted, and its file is not needed. */
export async function rotateKeys(
  context: CatalogContext,
  nextStandby: string | undefined,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<ChangedSigning>> {
  return changeSigning(context, askPassphrase, (catalog) => planTakeover(catalog, nextStandby));
}

export interface PlannedSigning {
  readonly kind: "planned";
  readonly before: Signing;
  readonly signing: Signing;
  /** The sequence of the manifest that would be signed; null when nothing is published yet. */
  readonly sequence: number | null;
}

export async function planRotation(
  context: CatalogContext,
  nextStandby: string | undefined,
): Promise<PlannedSigning | PublishingError> {
  return planSigning(context, (catalog) => planTakeover(catalog, nextStandby));
}

export async function planKeyRevocation(
  context: CatalogContext,
  keyId: string,
  nextStandby: string | undefined,
): Promise<PlannedSigning | PublishingError> {
  return planSigning(context, (catalog) => planRevocation(catalog, keyId, nextStandby));
}

async function planSigning(
  context: CatalogContext,
  plan: (catalog: Catalog) => Signing | PublishingError,
): Promise<PlannedSigning | PublishingError> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const { catalog, manifest } = state;
  const signing = plan(catalog);
  if ("kind" in signing) return signing;
  if (manifest === null && hasHistory(catalog)) return lostManifestError();
  const before = catalog.settings.signing;
  const key = await inspectSigningKey(context, catalog, signing.active);
  if (key.kind === "refused") return key;
  const sequence = manifest === null ? null : manifest.payload.sequence + 1;
  return { kind: "planned", before, signing, sequence };
}

/** Every manifest from now on names the key as revoked. The active key is replaced by the standby. */
export async function revokeKey(
  context: CatalogContext,
  keyId: string,
  nextStandby: string | undefined,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<ChangedSigning>> {
  return changeSigning(context, askPassphrase, (catalog) =>
    planRevocation(catalog, keyId, nextStandby),
  );
}

function planTakeover(
  catalog: Catalog,
  nextStandby: string | undefined,
): Signing | PublishingError {
  const { standby, ...signing } = catalog.settings.signing;
  if (Object.keys(catalog.keys).length === 0 || standby === undefined) {
    return publishingError(
      "There is no standby key to take over: create one with `trellis release key new`",
    );
  }
  return withStandby(catalog, { ...signing, active: standby }, nextStandby);
}

function planRevocation(
  catalog: Catalog,
  keyId: string,
  nextStandby: string | undefined,
): Signing | PublishingError {
  const { signing } = catalog.settings;
  const revoked = [...(signing.revoked ?? []), keyId];
  if (signing.revoked?.includes(keyId) === true) {
    return publishingError(`The key "${keyId}" is already revoked`);
  }
  const wrong = checkPurpose(catalog, keyId, REVOKED_ELSEWHERE);
  if (wrong !== null) return wrong;
  if (!Object.hasOwn(catalog.keys, keyId)) {
    return publishingError(
      `"${keyId}" is not in ${KEYS_FILE}: \`trellis release key show\` lists the keys`,
    );
  }
  const { standby, ...rest } = signing;
  if (keyId !== signing.active) {
    const kept = nextStandby ?? (standby === keyId ? undefined : standby);
    return withStandby(catalog, { ...rest, revoked }, kept);
  }
  if (standby === undefined) {
    return publishingError(
      `"${keyId}" is the active key and there is no standby key that apps pin: apps ignore a revocation that the stolen key signs itself. Create a key with \`trellis release key new\` and publish a version of the app that pins only that key`,
    );
  }
  return withStandby(catalog, { ...rest, active: standby, revoked }, nextStandby);
}

const REVOKED_ELSEWHERE =
  "cannot be revoked by one; if it is stolen, publish a version of the app that knows another public key";

/** A key of another updater has no place among the keys that sign manifests. */
function checkPurpose(
  { settings }: Catalog,
  keyId: string,
  consequence: string,
): PublishingError | null {
  const key = listUpdaterKeys(settings).find((item) => item.keyId === keyId);
  return key === undefined
    ? null
    : publishingError(
        `"${keyId}" is the ${key.kind} key, which signs files for another updater and never a manifest: it ${consequence}`,
      );
}

function withStandby(
  catalog: Catalog,
  signing: Omit<Signing, "standby">,
  standby: string | undefined,
): Signing | PublishingError {
  if (standby === undefined) return recordRetired(catalog, signing);
  if (signing.revoked?.includes(standby) === true) {
    return publishingError(`"${standby}" is revoked and cannot be the standby key`);
  }
  const wrong = checkPurpose(catalog, standby, "cannot be the standby key");
  if (wrong !== null) return wrong;
  if (!Object.hasOwn(catalog.keys, standby)) {
    return publishingError(
      `"${standby}" is not in ${KEYS_FILE}: create it with \`trellis release key new\``,
    );
  }
  if (standby === signing.active) {
    return publishingError(`"${standby}" becomes the active key itself`);
  }
  return recordRetired(catalog, { ...signing, standby });
}

async function changeSigning(
  context: CatalogContext,
  askPassphrase: PassphraseSource,
  plan: (catalog: Catalog) => Signing | PublishingError,
): Promise<ChangeResult<ChangedSigning>> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const signing = plan(state.catalog);
  if ("kind" in signing) return signing;
  // The key is opened before the catalogue is locked, because a person may have to type the passphrase.
  const key = await openSigningKey(context, state.catalog, signing.active, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(context, (current) => decideSigning(current, key, plan(current.catalog)));
}

function decideSigning(
  { catalog, manifest, now }: CatalogState,
  key: SigningKey,
  signing: Signing | PublishingError,
): Decision<ChangedSigning> {
  if ("kind" in signing) return signing;
  if (signing.active !== key.keyId) {
    return publishingError("Another process changed the keys meanwhile: run the command again");
  }
  if (manifest === null && hasHistory(catalog)) return lostManifestError();
  const settings: CatalogFile = { ...catalog.settings, signing };
  const changes: FileChange[] = [{ file: CATALOG_FILE, content: formatJson(settings) }];
  const result = { signing, previousActive: catalog.settings.signing.active };
  if (manifest === null) {
    return { kind: "change", changes, result: { ...result, manifest: null } };
  }
  const { changes: signed, summary } = signManifest({ ...catalog, settings }, manifest, key, now);
  changes.push(...signed);
  return { kind: "change", changes, result: { ...result, manifest: summary } };
}
