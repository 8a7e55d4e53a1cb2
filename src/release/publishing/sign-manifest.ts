/** What publishing, withdrawing, re-signing and key rotation share: signing a new manifest. */
import { hash, sign } from "node:crypto";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { SignedManifestEnvelope } from "../../contract/release/schemas.ts";
import { MANIFEST_ALGORITHM, MANIFEST_SCHEMA_VERSION } from "../../contract/release/values.ts";
import { publishedReleases, withdrawnReleases, type Catalog } from "../../rules/release/catalog.ts";
import { MANIFEST_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import { createManifestPayload } from "../../rules/release/manifest-payload.ts";
import { signedFiles } from "../../rules/release/release-files.ts";
import { rolloutsToSign } from "../../rules/release/rollouts.ts";
import { sha256OfText } from "../catalog/read-catalog.ts";
import { LOST_MANIFEST_REMEDY } from "../catalog/explain-manifest.ts";
import type { FileChange } from "../catalog/journal.ts";
import type { LoadedManifest } from "../catalog/read-catalog.ts";
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

export interface SignedManifest {
  /** The exact content of manifest.json, without a line end: it is served as it is. */
  readonly envelope: string;
  readonly summary: ManifestSummary;
}

/** A change that needs the active key. */
export async function changeSigned<T>(
  context: CatalogContext,
  askPassphrase: PassphraseSource,
  decide: (state: CatalogState, key: SigningKey) => Decision<T>,
): Promise<ChangeResult<T>> {
  const state = await readForChange(context);
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
  toResult: (manifest: ManifestSummary) => T,
  /** The other files in which the state differs from the folder. */
  others: readonly FileChange[] = [],
): Decision<T> {
  const signed = signManifest(withRelease(catalog, release), manifest, key, now);
  return {
    kind: "change",
    changes: [
      ...others,
      { file: releaseFile(release.version), content: formatJson(release) },
      { file: MANIFEST_FILE, content: signed.envelope },
    ],
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
  const created = createManifestPayload(
    {
      product: catalog.settings.product,
      lifetimeDays: catalog.settings.manifestLifetimeDays,
      revokedKeys: catalog.settings.signing.revoked ?? [],
      rollouts: rolloutsToSign(catalog.releases, catalog.settings.rollouts ?? []),
      files: signedFiles(catalog, sha256OfText),
      releases: publishedReleases(catalog),
      withdrawn: withdrawnReleases(catalog.releases),
    },
    previous && {
      sequence: previous.payload.sequence,
      issuedAt: previous.payload.issuedAt,
      envelopeSha256: hash("sha256", previous.envelope),
    },
    now,
  );
  const payload = firstSequence === undefined ? created : { ...created, sequence: firstSequence };
  // The payload is serialised once: these bytes are signed and sent.
  const bytes = Buffer.from(JSON.stringify(payload), "utf8");
  const envelope: SignedManifestEnvelope = {
    schemaVersion: MANIFEST_SCHEMA_VERSION,
    keyId: key.keyId,
    algorithm: MANIFEST_ALGORITHM,
    payload: bytes.toString("base64url"),
    signature: sign(null, bytes, key.privateKey).toString("base64url"),
  };
  const { sequence, issuedAt, expiresAt } = payload;
  return { envelope: JSON.stringify(envelope), summary: { sequence, issuedAt, expiresAt } };
}
