/** The step that publishing, withdrawing, re-signing and key rotation share: signing a new manifest. */
import { createHash, sign } from "node:crypto";
import type { SignedManifestEnvelope } from "../../contract/release/schemas.ts";
import { MANIFEST_ALGORITHM, MANIFEST_SCHEMA_VERSION } from "../../contract/release/values.ts";
import { publishedReleases, withdrawnReleases, type Catalog } from "../../rules/release/catalog.ts";
import { MANIFEST_FILE } from "../../rules/release/catalog-files.ts";
import { createManifestPayload } from "../../rules/release/manifest-payload.ts";
import type { LoadedManifest } from "../catalog/read-catalog.ts";
import {
  readForChange,
  publishingError,
  type CatalogContext,
  type PublishingError,
} from "./change-catalog.ts";
import { openKeyFile, type PassphraseSource, type SigningKey } from "./key-files.ts";

export interface SignedManifest {
  /** The exact content of manifest.json, without a line end: it is served as it is. */
  readonly envelope: string;
  readonly sequence: number;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** Opened before the catalogue is locked, because a person may have to type the passphrase. */
export async function openSigningKey(
  context: CatalogContext,
  askPassphrase: PassphraseSource,
): ReturnType<typeof openKeyFile> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const { settings, keys } = state.catalog;
  if (Object.keys(keys).length === 0) {
    return publishingError("There is no signing key yet: make one with `trellis release key new`");
  }
  return openKeyFile(context.keysFolder, settings.signing.active, keys, askPassphrase);
}

/** The catalogue may have changed between opening the key and locking it. */
export function checkStillActive(key: SigningKey, { settings }: Catalog): PublishingError | null {
  return settings.signing.active === key.keyId
    ? null
    : publishingError("Another process changed the active key meanwhile: run the command again");
}

/** Clients that saw a later manifest would refuse one that begins again at sequence 1. */
export function lostManifestError(): PublishingError {
  return publishingError(
    `${MANIFEST_FILE} is missing, although releases have been published: restore it from version control; if it is lost, run \`trellis release sign --sequence N\` with an N higher than any sequence that clients have seen`,
  );
}

export function signManifest(
  catalog: Catalog,
  previous: LoadedManifest | null,
  key: SigningKey,
  now: number,
  /** Only for a manifest whose predecessor was lost. */
  firstSequence?: number,
): SignedManifest {
  const created = createManifestPayload(
    {
      product: catalog.settings.product,
      lifetimeDays: catalog.settings.manifestLifetimeDays,
      releases: publishedReleases(catalog),
      withdrawn: withdrawnReleases(catalog.releases),
    },
    previous && {
      sequence: previous.payload.sequence,
      issuedAt: previous.payload.issuedAt,
      envelopeSha256: createHash("sha256").update(previous.envelope).digest("hex"),
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
  return { envelope: JSON.stringify(envelope), sequence, issuedAt, expiresAt };
}
