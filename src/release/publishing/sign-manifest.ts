/** What publishing, withdrawing, re-signing and key rotation share: signing a new manifest. */
import { hash, sign } from "node:crypto";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { ManifestPayload, SignedManifestEnvelope } from "../../contract/release/schemas.ts";
import { MANIFEST_ALGORITHM, MANIFEST_SCHEMA_VERSION } from "../../contract/release/values.ts";
import {
  isArchived,
  toPublicRelease,
  withdrawnReleases,
  type Catalog,
} from "../../rules/release/catalog.ts";
import { MANIFEST_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import { createManifestPayload } from "../../rules/release/manifest-payload.ts";
import { signedFiles } from "../../rules/release/release-files.ts";
import { rolloutsToSign } from "../../rules/release/rollouts.ts";
import { splitHistory } from "../../rules/release/split-history.ts";
import { explainManifestSize, isTooLarge, toKibibytes } from "../../rules/release/manifest-size.ts";
import { planArchive, type ArchivePlan } from "../archive/plan-archive.ts";
import { sha256OfText } from "../catalog/sha256-of-text.ts";
import { LOST_MANIFEST_REMEDY } from "../catalog/explain-manifest.ts";
import type { FileChange } from "../catalog/journal.ts";
import type { LoadedManifest } from "../catalog/opened-catalog.ts";
import {
  changeCatalog,
  formatJson,
  publishingError,
  readForChange,
  withRelease,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type PublishingError,
} from "./change-catalog.ts";
import type { PassphraseSource, SigningKey } from "./key-files.ts";
import { openSigningKey } from "./signing-key.ts";

export interface ManifestSummary {
  readonly sequence: number;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** What a signing did. */
export interface SigningSummary extends ManifestSummary {
  /** The versions that moved to the archive, newest build first. */
  readonly archived: readonly string[];
}

export interface SignedManifest {
  /** The exact content of manifest.json, without a line end: it is served as it is. */
  readonly envelope: string;
  /** Why no copy should have to download it; null when it is small enough. */
  readonly sizeError: PublishingError | null;
  /** The changes of the files: that of the manifest is the last one. */
  readonly changes: readonly FileChange[];
  readonly summary: SigningSummary;
}

/** A change that needs the active key. */
export async function changeSigned<T>(
  context: CatalogContext,
  askPassphrase: PassphraseSource,
  decide: (state: CatalogState, key: SigningKey) => Decision<T>,
): Promise<ChangeResult<T>> {
  const state = await readForChange(context, "whole");
  if (state.kind === "refused") return state;
  const { catalog } = state;
  if (Object.keys(catalog.keys).length === 0) {
    return publishingError(
      "There is no signing key yet: create one with `trellis release key new`",
    );
  }
  // The key is opened before the catalogue is locked, because a person may have to type the passphrase.
  const { active } = catalog.settings.signing;
  const key = await openSigningKey(context, catalog, active, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(context, (current) =>
    current.catalog.settings.signing.active === key.keyId
      ? decide(current, key)
      : publishingError("Another process changed the active key meanwhile: run the command again"),
  );
}

/** The decision to replace a release and to sign the manifest that follows from it. */
export function signRelease<T>(
  { catalog, manifest, now }: CatalogState,
  release: SourceRelease,
  key: SigningKey,
  toResult: (manifest: SigningSummary) => T,
  /** The other files in which the state differs from the folder. */
  others: readonly FileChange[] = [],
  /** A withdrawal must be possible with any manifest. */
  isBounded = true,
): Decision<T> {
  const { version } = release;
  const signed = signManifest(withRelease(catalog, release), manifest, key, now);
  if (isBounded && signed.sizeError !== null) return signed.sizeError;
  // The index of the archive says what happened to a release that is in there.
  const file = { file: releaseFile(version), content: formatJson(release) };
  return {
    kind: "change",
    changes: [...others, ...(isArchived(catalog, version) ? [] : [file]), ...signed.changes],
    result: toResult(signed.summary),
  };
}

export function lostManifestError(): PublishingError {
  return publishingError(
    `${MANIFEST_FILE} is missing, although releases are published: ${LOST_MANIFEST_REMEDY}`,
  );
}

export function signManifest(
  catalog: Catalog,
  previous: LoadedManifest | null,
  key: SigningKey,
  now: number,
  /** Given only for a manifest whose predecessor was lost. */
  firstSequence?: number,
): SignedManifest {
  const plan = planManifest(catalog, previous, now);
  const payload =
    firstSequence === undefined ? plan.payload : { ...plan.payload, sequence: firstSequence };
  // The payload is serialised once: these bytes are signed and sent.
  const bytes = Buffer.from(JSON.stringify(payload), "utf8");
  const signature = sign(null, bytes, key.privateKey);
  const envelope = JSON.stringify(toEnvelope(key.keyId, bytes, signature));
  const { sequence, issuedAt, expiresAt } = payload;
  return {
    envelope,
    sizeError: findSizeError(envelope.length, payload),
    changes: [...plan.changes, { file: MANIFEST_FILE, content: envelope }],
    summary: { sequence, issuedAt, expiresAt, archived: plan.moved },
  };
}

function findSizeError(bytes: number, payload: ManifestPayload): PublishingError | null {
  if (!isTooLarge(bytes)) return null;
  return publishingError(
    `The manifest would have ${toKibibytes(bytes)}, and at most 1 MiB is signed, because every installed copy downloads it (${explainManifestSize(bytes, payload)}): shorten what is not published yet`,
  );
}

function toEnvelope(keyId: string, payload: Buffer, signature: Buffer): SignedManifestEnvelope {
  return {
    schemaVersion: MANIFEST_SCHEMA_VERSION,
    keyId,
    algorithm: MANIFEST_ALGORITHM,
    payload: payload.toString("base64url"),
    signature: signature.toString("base64url"),
  };
}

export interface ManifestPlan extends ArchivePlan {
  readonly payload: ManifestPayload;
}

/** What would be signed now. */
export function planManifest(
  catalog: Catalog,
  previous: LoadedManifest | null,
  now: number,
): ManifestPlan {
  const { settings, releases } = catalog;
  const rollouts = rolloutsToSign(releases, settings.rollouts ?? []);
  const { current, archived } = splitHistory(releases, rollouts);
  const plan = planArchive(catalog, archived, previous?.payload ?? null);
  const payload = createManifestPayload(
    {
      product: settings.product,
      lifetimeDays: settings.manifestLifetimeDays,
      revokedKeys: settings.signing.revoked ?? [],
      rollouts,
      files: signedFiles({ releases: current.published }, sha256OfText),
      archive: plan.archive,
      releases: current.published.map(toPublicRelease),
      withdrawn: withdrawnReleases(current.withdrawn),
    },
    previous && {
      sequence: previous.payload.sequence,
      issuedAt: previous.payload.issuedAt,
      envelopeSha256: hash("sha256", previous.envelope),
    },
    now,
  );
  return { ...plan, payload };
}
