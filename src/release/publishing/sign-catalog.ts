/** Re-signs the manifest, so that it does not expire. */
import { parseDateTime } from "../../contract/date-time.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { MANIFEST_FILE } from "../../rules/release/catalog-files.ts";
import { findNeverSigned } from "../../rules/release/compare-manifest.ts";
import {
  hasHistory,
  publishingError,
  readForChange,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type Decision,
} from "./change-catalog.ts";
import type { PassphraseSource, SigningKey } from "./key-files.ts";
import { publishDue, type DueReleases } from "./scheduled-releases.ts";
import {
  changeSigned,
  lostManifestError,
  signManifest,
  type SigningSummary,
} from "./sign-manifest.ts";

export interface SigningRequest {
  /** Timers set this: a manifest that is younger and up to date is not signed again. */
  readonly ifOlderThanDays?: number | undefined;
  /** The sequence to continue with when manifest.json was lost. */
  readonly sequence?: number | undefined;
}

export type SigningResult =
  | { readonly kind: "fresh"; readonly sequence: number; readonly expiresAt: string }
  | ({
      readonly kind: "signed";
      readonly keyId: string;
      /** Published releases that the last manifest lacked. */
      readonly added: readonly string[];
      /** The scheduled releases whose time has come. */
      readonly due: Pick<DueReleases, "published" | "skipped">;
    } & SigningSummary);

export async function signCatalog(
  context: CatalogContext,
  request: SigningRequest,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<SigningResult>> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const fresh = findFresh(state, request.ifOlderThanDays);
  if (fresh !== null) return { kind: "done", result: fresh, notice: null };
  return changeSigned(context, askPassphrase, (current, key) =>
    decideSigning(current, request, key),
  );
}

function findFresh(state: CatalogState, days: number | undefined): SigningResult | null {
  const { manifest, warnings, now } = state;
  // A warning means that the manifest expires soon or lacks a change.
  if (days === undefined || manifest === null || warnings.length > 0) return null;
  if (publishDue(state).published.length > 0) return null;
  const { sequence, issuedAt, expiresAt } = manifest.payload;
  const age = now - (parseDateTime(issuedAt) ?? 0);
  return age < days * DAY_MS ? { kind: "fresh", sequence, expiresAt } : null;
}

function decideSigning(
  state: CatalogState,
  request: SigningRequest,
  key: SigningKey,
): Decision<SigningResult> {
  const { manifest, now } = state;
  const due = publishDue(state);
  const { catalog } = due;
  if (!hasHistory(catalog)) {
    return publishingError(
      "Nothing is published yet: `trellis release publish` signs the first manifest",
    );
  }
  if (manifest !== null && request.sequence !== undefined) {
    return publishingError(
      `--sequence is for a lost ${MANIFEST_FILE}; this one continues from ${manifest.payload.sequence} by itself`,
    );
  }
  if (manifest === null && request.sequence === undefined) return lostManifestError();
  const signed = signManifest(catalog, manifest, key, now, request.sequence);
  if (signed.sizeError !== null) return signed.sizeError;
  const { changes, summary } = signed;
  const added = manifest === null ? [] : findNeverSigned(state.catalog, manifest.payload);
  return {
    kind: "change",
    changes: [...due.changesWith(catalog.settings), ...changes],
    result: { kind: "signed", keyId: key.keyId, added, due, ...summary },
  };
}
