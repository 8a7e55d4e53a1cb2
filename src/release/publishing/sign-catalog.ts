/** Re-signs the manifest, so that it does not expire. */
import { MANIFEST_FILE } from "../../rules/release/catalog-files.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import {
  changeCatalog,
  hasHistory,
  readForChange,
  publishingError,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type CatalogContext,
} from "./change-catalog.ts";
import type { PassphraseSource, SigningKey } from "./key-files.ts";
import {
  checkStillActive,
  openSigningKey,
  lostManifestError,
  signManifest,
  type SignedManifest,
} from "./sign-manifest.ts";

export interface SigningRequest {
  /** For timers: a manifest that is younger and up to date is not signed again. */
  readonly ifOlderThanDays?: number | undefined;
  /** The sequence to continue with when manifest.json was lost. */
  readonly sequence?: number | undefined;
}

export type SigningResult =
  | { readonly kind: "fresh"; readonly sequence: number; readonly expiresAt: string }
  | ({ readonly kind: "signed"; readonly keyId: string } & Omit<SignedManifest, "envelope">);

const DAY_MS = 86_400_000;

export async function signCatalog(
  context: CatalogContext,
  request: SigningRequest,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<SigningResult>> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const fresh = findFresh(state, request.ifOlderThanDays);
  if (fresh !== null) return { kind: "done", result: fresh, notice: null };
  const key = await openSigningKey(context, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(context, (current) => decideSigning(current, request, key));
}

function findFresh(state: CatalogState, days: number | undefined): SigningResult | null {
  const { manifest, warnings, now } = state;
  // A warning means that the manifest expires soon or lacks a change.
  if (days === undefined || manifest === null || warnings.length > 0) return null;
  const { sequence, issuedAt, expiresAt } = manifest.payload;
  const age = now - (parseDateTime(issuedAt) ?? 0);
  return age < days * DAY_MS ? { kind: "fresh", sequence, expiresAt } : null;
}

function decideSigning(
  { catalog, manifest, now }: CatalogState,
  request: SigningRequest,
  key: SigningKey,
): Decision<SigningResult> {
  const changed = checkStillActive(key, catalog);
  if (changed !== null) return changed;
  if (!hasHistory(catalog)) {
    return publishingError(
      "Nothing is published yet: `trellis release publish` signs the first manifest",
    );
  }
  if (manifest !== null && request.sequence !== undefined) {
    return publishingError(
      `--sequence is for a lost ${MANIFEST_FILE}; this one goes on from ${manifest.payload.sequence} by itself`,
    );
  }
  if (manifest === null && request.sequence === undefined) return lostManifestError();
  const signed = signManifest(catalog, manifest, key, now, request.sequence);
  const { envelope, ...rest } = signed;
  return {
    kind: "change",
    changes: [{ file: MANIFEST_FILE, content: envelope }],
    result: { kind: "signed", keyId: key.keyId, ...rest },
  };
}
