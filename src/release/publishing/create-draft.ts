/** Creates a draft with every member, for a person to edit. */
import type {
  DraftRelease,
  PublishedSource,
  SourceRelease,
  WithdrawnSource,
} from "../../contract/release/catalog.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import type { ReleaseNotes } from "../../contract/release/schemas.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";
import { wasPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import { appVersionOf, compareAppVersions, isAppVersion } from "../../rules/release/app-version.ts";
import { emptyNotes } from "../../rules/release/changelog.ts";
import { releaseFile } from "../../rules/release/catalog-files.ts";
import { compareVersions, isVersion } from "../../rules/release/version.ts";
import {
  changeCatalog,
  formatJson,
  noTimeError,
  publishingError,
  type ChangeResult,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import type { DraftResult } from "./change-draft.ts";

export interface NewDraft {
  readonly version: string;
  readonly buildNumber: number;
  /** What the app calls itself; absent: the version. */
  readonly appVersion?: string | undefined;
  readonly channel: ReleaseChannel;
  /** Absent: that of the newest release of the channel, of any channel, or the version itself. */
  readonly minimumSupportedVersion?: string | undefined;
  readonly mandatoryAfter?: string | undefined;
  readonly notes?: ReleaseNotes | undefined;
}

export interface CreatedDraft {
  readonly file: string;
  readonly release: DraftRelease;
}

export async function createDraft(
  context: CatalogContext,
  draft: NewDraft,
): Promise<ChangeResult<CreatedDraft>> {
  return changeCatalog<CreatedDraft>(context, ({ catalog }) => {
    const planned = planDraft(draft, catalog);
    if (planned.kind === "refused") return planned;
    const release = planned.draft;
    const file = releaseFile(draft.version);
    return {
      kind: "change",
      changes: [{ file, content: formatJson(release) }],
      result: { file, release },
    };
  });
}

/** The draft as it would be created. */
export function planDraft(draft: NewDraft, catalog: Catalog): DraftResult {
  return (
    checkValues(draft) ??
    checkOrder(draft, catalog) ?? { kind: "found", draft: fillDraft(draft, catalog) }
  );
}

function checkValues(draft: NewDraft): PublishingError | null {
  const { version, minimumSupportedVersion: minimum, mandatoryAfter } = draft;
  for (const text of [version, minimum]) {
    if (text !== undefined && !isVersion(text)) {
      return publishingError(`"${text}" is not a version: use three numbers such as 2.1.0`);
    }
  }
  if (minimum !== undefined && compareVersions(minimum, version) > 0) {
    return publishingError(
      `--minimum-supported ${minimum} is newer than ${version}: use ${version} or older`,
    );
  }
  return mandatoryAfter !== undefined && parseDateTime(mandatoryAfter) === null
    ? noTimeError(mandatoryAfter)
    : null;
}

/** What would prevent the publication is reported now, before files are built for it. */
function checkOrder(draft: NewDraft, { releases }: Catalog): PublishingError | null {
  const { version, buildNumber, channel } = draft;
  const same = releases.find((release) => release.version === version);
  if (same !== undefined) {
    return publishingError(
      `There is already a release ${version} (${same.status}): use a newer version`,
    );
  }
  const published = releases.filter(wasPublished);
  const newest = latestOf(published, channel);
  if (newest !== undefined && compareVersions(version, newest.version) <= 0) {
    return publishingError(
      `${version} is older than ${newest.version}, the newest release of the channel "${channel}": use a newer version`,
    );
  }
  const appError = checkAppVersion(draft, releases, newest);
  if (appError !== null) return appError;
  const conflict =
    releases.find((release) => release.buildNumber === buildNumber) ??
    published.find((release) => release.buildNumber > buildNumber);
  if (conflict === undefined) return null;
  const relation =
    conflict.buildNumber === buildNumber ? "is taken by" : "is not higher than that of";
  return publishingError(
    `Build ${buildNumber} ${relation} ${conflict.version} (build ${conflict.buildNumber}): use --build ${nextBuild(releases)}`,
  );
}

/** Updaters compare what apps call themselves, so that must be new, and newer inside the channel. */
function checkAppVersion(
  { version, appVersion, channel }: NewDraft,
  releases: readonly SourceRelease[],
  newest: SourceRelease | undefined,
): PublishingError | null {
  const name = appVersion ?? version;
  if (!isAppVersion(name)) {
    return publishingError(`"${name}" is not a version by SemVer 2, such as 1.3.0-beta.3`);
  }
  const same = releases.find((release) => compareAppVersions(appVersionOf(release), name) === 0);
  if (same !== undefined) {
    return publishingError(
      `Apps of ${same.version} (${same.status}) already show the version ${appVersionOf(same)}: give another --app-version`,
    );
  }
  if (newest === undefined || compareAppVersions(name, appVersionOf(newest)) > 0) return null;
  return publishingError(
    `${name} is older than ${appVersionOf(newest)}, what apps of the newest release of the channel "${channel}" show: give a newer --app-version`,
  );
}

/** Releases are newest build first. */
function nextBuild([newest]: readonly SourceRelease[]): number {
  return (newest?.buildNumber ?? 0) + 1;
}

function fillDraft(draft: NewDraft, { releases }: Catalog): DraftRelease {
  const { version, buildNumber, appVersion, channel } = draft;
  return {
    version,
    buildNumber,
    ...(appVersion !== undefined && { appVersion }),
    channel,
    status: "draft",
    publishedAt: null,
    minimumSupportedVersion:
      draft.minimumSupportedVersion ?? inheritMinimum(draft, releases.filter(wasPublished)),
    mandatoryAfter: draft.mandatoryAfter ?? null,
    notes: draft.notes ?? emptyNotes(),
    artifacts: [],
  };
}

/** A first beta must not be the oldest supported version for the people who come from stable. */
function inheritMinimum(
  { version, channel }: NewDraft,
  published: readonly (PublishedSource | WithdrawnSource)[],
): string {
  const before = latestOf(published, channel) ?? published[0];
  const minimum = before?.minimumSupportedVersion ?? version;
  // A stable release may follow a beta with a newer version.
  return compareVersions(minimum, version) > 0 ? version : minimum;
}
