/** Checks a catalogue: every error, and what is missing before a draft can be published. */
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import { RELEASE_CHANNELS } from "../../contract/release/values.ts";
import {
  formatMissing,
  isPublished,
  latestOf,
  missingTargets,
  type Catalog,
} from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { MANIFEST_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import {
  envelopeBytes,
  explainManifestSize,
  isTooLarge,
  toKibibytes,
} from "../../rules/release/manifest-size.ts";
import { checkOwnFiles, findFileOwners } from "../../rules/release/check-own-files.ts";
import { findCoverage, type Coverage } from "../../rules/release/coverage/find-coverage.ts";
import type { LoadedManifest } from "../catalog/opened-catalog.ts";
import { readWholeCatalog } from "../catalog/read-catalog.ts";
import { readSite } from "../catalog/read-site.ts";
import type { CatalogState } from "./change-catalog.ts";
import { planScheduled, scheduledDrafts } from "./scheduled-releases.ts";
import { isSilent } from "./set-notes.ts";
import { planManifest } from "./sign-manifest.ts";
import { findTrackedMachineFiles } from "./tracked-files.ts";
import { warnOfMerges } from "./warn-of-merges.ts";

export interface CatalogReport {
  readonly errors: readonly CatalogFileError[];
  readonly warnings: readonly string[];
  /** The drafts that lack something; nothing can be added to a published release. */
  readonly incomplete: readonly IncompleteRelease[];
  /** The versions of drafts without notes. */
  readonly silent: readonly string[];
  /** The drafts that wait for a time, the earliest first. */
  readonly scheduled: readonly { readonly version: string; readonly at: string }[];
  /** Who would get each draft that has a file. */
  readonly coverage: readonly Coverage[];
  readonly releases: number;
}

export interface IncompleteRelease {
  readonly version: string;
  readonly status: "draft" | "published";
  readonly missing: readonly string[];
}

export async function checkCatalog(
  folder: string,
  now: number,
  feeds: FeedSettings,
  allowsMismatch = false,
): Promise<CatalogReport> {
  const result = await readWholeCatalog(folder, now);
  const site = readSite(folder);
  const others = [
    ...(await findTrackedMachineFiles(folder)),
    ...(site.kind === "invalid" ? site.errors : []),
  ];
  if (result.kind === "invalid") {
    const errors = [...result.errors, ...others];
    const none = { warnings: [], incomplete: [], silent: [], scheduled: [], coverage: [] };
    return { errors, ...none, releases: 0 };
  }
  const { catalog, manifest } = result;
  const size = judgeSize(catalog, manifest, now);
  const warnings = [
    ...result.warnings,
    ...(await warnOfMerges(folder, manifest)),
    ...size.warnings,
  ];
  const drafts = catalog.releases.filter((release) => release.status === "draft");
  const owners = findFileOwners(catalog, drafts);
  const own = drafts.map((draft) => checkOwnFiles(draft, owners, allowsMismatch));
  return {
    errors: [...others, ...size.errors, ...own.flatMap(({ errors }) => errors)],
    warnings: [
      ...warnings,
      ...warnScheduled({ ...result, now }),
      ...own.flatMap((result) => result.warnings),
    ],
    incomplete: findIncomplete(catalog).filter(({ status }) => status === "draft"),
    scheduled: scheduledDrafts(catalog).map(({ version, scheduled: { at } }) => ({ version, at })),
    silent: drafts.filter(isSilent).map(({ version }) => version),
    coverage: drafts
      .filter(({ artifacts }) => artifacts.length > 0)
      .map((draft) => findCoverage(catalog, draft, feeds)),
    releases: catalog.releases.length,
  };
}

/** What would be skipped when its time has come. */
function warnScheduled(state: CatalogState): string[] {
  return scheduledDrafts(state.catalog).flatMap((draft) => {
    const plan = planScheduled(state, draft);
    if (plan.kind !== "refused") return [];
    const { at } = draft.scheduled;
    return [`${releaseFile(draft.version)} cannot be published at ${at}: ${plan.message}`];
  });
}

/** The manifest that would be signed next, and the one that would be signed with each draft. */
function judgeSize(
  catalog: Catalog,
  manifest: LoadedManifest | null,
  now: number,
): { readonly errors: CatalogFileError[]; readonly warnings: string[] } {
  const { payload } = planManifest(catalog, manifest, now);
  const drafts = catalog.releases.filter((release) => release.status === "draft");
  const [largest] = [0, ...drafts.map((draft) => envelopeBytes(draft))].toSorted((a, b) => b - a);
  const bytes = envelopeBytes(payload) + (largest ?? 0);
  const releases = [...drafts, ...payload.releases];
  const reason = explainManifestSize(bytes, { ...payload, releases });
  if (reason === null) return { errors: [], warnings: [] };
  const problem = `would have ${toKibibytes(bytes)} after the next publication, and every installed copy downloads it (${reason})`;
  const remedy = "shorten what is not published yet";
  return isTooLarge(bytes)
    ? { errors: [{ file: MANIFEST_FILE, path: "", problem, remedy }], warnings: [] }
    : { errors: [], warnings: [`${MANIFEST_FILE} ${problem}: ${remedy}`] };
}

/** Older releases are left out: they may be older than a target. */
export function findIncomplete({ settings, releases }: Catalog): IncompleteRelease[] {
  const published = releases.filter(isPublished);
  const newest = RELEASE_CHANNELS.flatMap((channel) => latestOf(published, channel) ?? []);
  const drafts = releases.filter((release) => release.status === "draft");
  return [...drafts, ...newest].flatMap((release) => {
    const missing = missingTargets(settings.targets, release).map(
      (target) => `an artifact for ${formatMissing(target)}`,
    );
    if (release.artifacts.length === 0 && missing.length === 0) missing.push("an artifact");
    release.artifacts.forEach((artifact, index) => {
      for (const field of ["url", "sha256", "size"] as const) {
        if (artifact[field] === undefined) missing.push(`artifacts[${index}].${field}`);
      }
    });
    return missing.length === 0
      ? []
      : [{ version: release.version, status: release.status, missing }];
  });
}

export function formatIncomplete({ version, status, missing }: IncompleteRelease): string {
  const consequence = status === "draft" ? "cannot be published yet" : "is incomplete";
  return `${releaseFile(version)} ${consequence}; it lacks ${missing.join(", ")}`;
}
