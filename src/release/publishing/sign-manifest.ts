/** Signs what is published: the payload is serialised once, and those bytes are signed. */
import { createHash, sign, type KeyObject } from "node:crypto";
import type { SignedManifestEnvelope } from "../../contract/release/schemas.ts";
import { MANIFEST_ALGORITHM, MANIFEST_SCHEMA_VERSION } from "../../contract/release/values.ts";
import { publishedReleases, withdrawnReleases, type Catalog } from "../../rules/release/catalog.ts";
import { createManifestPayload } from "../../rules/release/manifest-payload.ts";
import type { LoadedManifest } from "../catalog/read-catalog.ts";

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export interface SignedManifest {
  /** The exact content of manifest.json, without a line end: it is served as it is. */
  readonly envelope: string;
  readonly sequence: number;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

export function signManifest(
  catalog: Catalog,
  previous: LoadedManifest | null,
  key: SigningKey,
  now: number,
  /** Only for a manifest whose predecessor was lost. */
  firstSequence?: number,
): SignedManifest {
  const made = createManifestPayload(
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
  const payload = firstSequence === undefined ? made : { ...made, sequence: firstSequence };
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
