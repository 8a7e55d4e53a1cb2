import type { CatalogFile } from "../../contract/release/catalog.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import type { ManifestError } from "./verify-manifest.ts";

/** TUF 5.4.2, an arbitrary software attack: what a client that saw the catalogue's own manifest says of the key that signed this one. */
export function checkSigner(
  { keyId, payload }: { readonly keyId: string; readonly payload: ManifestPayload },
  { active, revoked = [] }: CatalogFile["signing"],
): ManifestError | null {
  if (!revoked.includes(keyId)) return null;
  // The active key signs the revocation, so each names the other.
  return keyId !== active && payload.revokedKeys?.includes(active) === true
    ? { kind: "conflicting-revocations", keyId, contestedKeys: [keyId, active] }
    : { kind: "revoked-key", keyId };
}
