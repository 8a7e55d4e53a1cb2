/** Publishes a draft and signs the new manifest, in one atomic step. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { DraftRelease, PublishedSource } from "../../contract/release/catalog.ts";
import { wasPublished, missingTargets, type Catalog } from "../../rules/release/catalog.ts";
import { MANIFEST_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  formatJson,
  hasHistory,
  refuse,
  type CatalogState,
  type Change,
  type Decision,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import { faultsWith, findRelease, refuseUnknown, withRelease } from "./change-draft.ts";
import type { PassphraseSource } from "./keys.ts";
import { checkStillActive, openSigningKey } from "./open-signing-key.ts";
import { signManifest, type SignedManifest, type SigningKey } from "./sign-manifest.ts";

export interface PublishedRelease {
  readonly release: PublishedSource;
  readonly keyId: string;
  readonly manifest: Omit<SignedManifest, "envelope">;
}

export async function publishRelease(
  bench: CatalogContext,
  version: string,
  at: string | undefined,
  askPassphrase: PassphraseSource,
): Promise<Change<PublishedRelease>> {
  if (at !== undefined && parseDateTime(at) === null) {
    return refuse(`"${at}" is no time: write it as RFC 3339, such as 2026-01-31T12:00:00Z`);
  }
  const key = await openSigningKey(bench, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(bench, (state) => decidePublication(state, version, at, key));
}

function decidePublication(
  { catalog, manifest, now }: CatalogState,
  version: string,
  at: string | undefined,
  key: SigningKey,
): Decision<PublishedRelease> {
  const draft = findRelease(catalog, version);
  if (draft === undefined) return refuseUnknown(version);
  if (draft.status !== "draft") return refuseSettled(version, draft.status);
  const publishedAt = at ?? new Date(now).toISOString();
  const refusal =
    checkStillActive(key, catalog) ??
    checkComplete(catalog, draft) ??
    checkTime(catalog, publishedAt, now) ??
    (manifest === null && hasHistory(catalog) ? refuseLostManifest() : null);
  if (refusal !== null) return refusal;
  const release = toPublished(draft, publishedAt);
  const faults = faultsWith(catalog, release);
  if (faults.length > 0) return refuse(`Release ${version} cannot be published`, faults);
  const signed = signManifest(withRelease(catalog, release), manifest, key, now);
  const { envelope, ...rest } = signed;
  return {
    kind: "change",
    changes: [
      { file: releaseFile(version), content: formatJson(release) },
      { file: MANIFEST_FILE, content: envelope },
    ],
    result: { release, keyId: key.keyId, manifest: rest },
  };
}

function refuseSettled(version: string, status: "published" | "withdrawn"): PublishingError {
  return status === "published"
    ? refuse(`Release ${version} is already published; a published release never changes`)
    : refuse(`Release ${version} was withdrawn and does not return: publish a new version`);
}

function checkComplete({ settings }: Catalog, draft: DraftRelease): PublishingError | null {
  const missing = missingTargets(settings.targets, draft);
  if (missing.length === 0) return null;
  const names = missing.map(({ platform, architecture }) => `${platform}/${architecture}`);
  return refuse(
    `Release ${draft.version} has no artifact for ${names.join(", ")}: add it with \`trellis release add-artifact\`, or remove the target from catalog.json`,
  );
}

/** Clocks of two machines agree to within this. */
const CLOCK_TOLERANCE_MS = 60_000;

function checkTime(
  { releases }: Catalog,
  publishedAt: string,
  now: number,
): PublishingError | null {
  const time = parseDateTime(publishedAt) ?? 0;
  if (time > now + CLOCK_TOLERANCE_MS) {
    return refuse(
      `${publishedAt} is in the future: a release is visible as soon as it is published, so run the command then`,
    );
  }
  const later = releases
    .filter(wasPublished)
    .find((release) => (parseDateTime(release.publishedAt) ?? 0) >= time);
  if (later === undefined) return null;
  return refuse(
    `${publishedAt} is not after the publication of ${later.version} (${later.publishedAt}): check --at and this machine's clock`,
  );
}

/** A manifest that began again at 1 would be refused by every client that saw a later one. */
export function refuseLostManifest(): PublishingError {
  return refuse(
    `${MANIFEST_FILE} is missing, although releases have been published: restore it from version control; if it is lost, run \`trellis release sign --sequence N\` with an N higher than any sequence that clients have seen`,
  );
}

function toPublished(draft: DraftRelease, publishedAt: string): PublishedSource {
  // What a draft may still lack is found by the rules, which name the path.
  return { ...(draft as unknown as PublishedSource), status: "published", publishedAt };
}
