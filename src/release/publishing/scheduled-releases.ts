/**
 * Releases that wait for their time. Until then each is a draft, so it is in no manifest, response or export;
 * the first signing or publication after it puts it in.
 */
import { parseDateTime } from "../../contract/date-time.ts";
import type { CatalogFile, DraftRelease } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { CATALOG_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import type { FileChange } from "../catalog/journal.ts";
import {
  changeCatalog,
  formatJson,
  publishingError,
  withRelease,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
} from "./change-catalog.ts";
import { findDraft } from "./change-draft.ts";
import { planPublication, type Publication, type PublicationPlan } from "./plan-publication.ts";

/** Records the time in the draft. No key is needed, because nothing is signed. */
export async function scheduleRelease(
  context: CatalogContext,
  publication: Publication,
): Promise<ChangeResult<PublicationPlan>> {
  return changeCatalog<PublicationPlan>(context, (state) => {
    const plan = planPublication(state, publication);
    if (plan.kind === "refused") return plan;
    const { version, at, rollout, allowsMismatch } = publication;
    const found = findDraft(state.catalog, version);
    if (found.kind === "refused") return found;
    if (!plan.isScheduled || at === undefined) {
      return publishingError(`The time of ${version} has come meanwhile: publish it now`);
    }
    const scheduled = {
      at,
      ...(rollout !== undefined && { rollout }),
      ...(allowsMismatch && { allowsMismatch }),
    };
    const content = formatJson({ ...found.draft, scheduled });
    return { kind: "change", changes: [{ file: releaseFile(version), content }], result: plan };
  });
}

export interface DueReleases {
  /** The catalogue with the releases whose time has come. */
  readonly catalog: Catalog;
  readonly published: readonly string[];
  /** Those that cannot be published, which stops no signing, and why. */
  readonly skipped: readonly SkippedRelease[];
  /** The changes of the files, with these settings in the end. */
  changesWith(settings: CatalogFile): FileChange[];
}

export interface SkippedRelease {
  readonly version: string;
  readonly reason: string;
}

/** A release that is published by name right now is left out. */
export function publishDue(state: CatalogState, except?: string): DueReleases {
  const before = state.catalog;
  let catalog = before;
  const changes: FileChange[] = [];
  const skipped: SkippedRelease[] = [];
  for (const draft of scheduledDrafts(before)) {
    if (timeOf(draft) > state.now || draft.version === except) continue;
    const plan = planScheduled({ ...state, catalog }, draft);
    if (plan.kind === "refused") {
      const reasons = [
        plan.message,
        ...plan.errors.map(({ path, problem }) => `${path} ${problem}`),
      ];
      skipped.push({ version: draft.version, reason: reasons.join("; ") });
      continue;
    }
    const { release, next } = plan;
    catalog = withRelease(next, release);
    changes.push({ file: releaseFile(release.version), content: formatJson(release) });
  }
  const published = changes.map(({ file }) => file.replace(/^releases\/(.*)\.json$/, "$1"));
  const changesWith = (settings: CatalogFile) =>
    settings === before.settings
      ? changes
      : [{ file: CATALOG_FILE, content: formatJson(settings) }, ...changes];
  return { catalog, published, skipped, changesWith };
}

/** What the publication would be when its time has come. */
export function planScheduled(state: CatalogState, { version, scheduled }: ScheduledDraft) {
  const { at, rollout, allowsMismatch = false } = scheduled;
  const now = Math.max(state.now, parseDateTime(at) ?? 0);
  return planPublication({ ...state, now }, { version, at, rollout, allowsMismatch });
}

export type ScheduledDraft = DraftRelease & Required<Pick<DraftRelease, "scheduled">>;

/** The earliest first. */
export function scheduledDrafts({ releases }: Catalog): ScheduledDraft[] {
  return releases
    .filter(
      (release): release is ScheduledDraft =>
        release.status === "draft" && release.scheduled !== undefined,
    )
    .toSorted((a, b) => timeOf(a) - timeOf(b));
}

export function timeOf({ scheduled }: ScheduledDraft): number {
  return parseDateTime(scheduled.at) ?? 0;
}

/** One line for each release whose time has come. */
export function describeDue({ published, skipped }: Pick<DueReleases, "published" | "skipped">) {
  return [
    ...published.map((version) => `Published ${version}, which was scheduled`),
    ...skipped.map(
      ({ version, reason }) =>
        `Warning: ${version} was scheduled, and could not be published: ${reason}`,
    ),
  ];
}
