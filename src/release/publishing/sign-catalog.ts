/** Signs anew what is published, so that the manifest does not expire. */
import { MANIFEST_FILE } from "../../rules/release/catalog-files.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import {
  changeCatalog,
  hasHistory,
  readForChange,
  refuse,
  type CatalogState,
  type Change,
  type Decision,
  type CatalogContext,
} from "./change-catalog.ts";
import type { PassphraseSource } from "./keys.ts";
import { checkStillActive, openSigningKey } from "./open-signing-key.ts";
import { refuseLostManifest } from "./publish-release.ts";
import { signManifest, type SignedManifest, type SigningKey } from "./sign-manifest.ts";

export interface SigningRequest {
  /** Leaves a manifest alone that is younger and up to date: for timers. */
  readonly ifOlderThanDays?: number | undefined;
  /** Where the sequence goes on when manifest.json was lost. */
  readonly sequence?: number | undefined;
}

export type SigningResult =
  | { readonly kind: "fresh"; readonly sequence: number; readonly expiresAt: string }
  | ({ readonly kind: "signed"; readonly keyId: string } & Omit<SignedManifest, "envelope">);

const DAY_MS = 86_400_000;

export async function signCatalog(
  bench: CatalogContext,
  request: SigningRequest,
  askPassphrase: PassphraseSource,
): Promise<Change<SigningResult>> {
  const state = await readForChange(bench);
  if (state.kind === "refused") return state;
  const fresh = findFresh(state, request.ifOlderThanDays);
  if (fresh !== null) return { kind: "done", result: fresh, notice: null };
  const key = await openSigningKey(bench, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(bench, (current) => decideSigning(current, request, key));
}

function findFresh(state: CatalogState, days: number | undefined): SigningResult | null {
  const { manifest, warnings, now } = state;
  // A warning means that it expires soon or lacks a change.
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
    return refuse("Nothing is published yet: `trellis release publish` signs the first manifest");
  }
  if (manifest !== null && request.sequence !== undefined) {
    return refuse(
      `--sequence is for a lost ${MANIFEST_FILE}; this one goes on from ${manifest.payload.sequence} by itself`,
    );
  }
  if (manifest === null && request.sequence === undefined) return refuseLostManifest();
  const signed = signManifest(catalog, manifest, key, now, request.sequence);
  const { envelope, ...rest } = signed;
  return {
    kind: "change",
    changes: [{ file: MANIFEST_FILE, content: envelope }],
    result: { kind: "signed", keyId: key.keyId, ...rest },
  };
}
