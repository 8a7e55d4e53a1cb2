/** Begins a release: a draft with every field, for a person to edit. */
import type { DraftRelease, SourceRelease } from "../../contract/release/catalog.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";
import { wasPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import { releaseFile } from "../../rules/release/catalog-files.ts";
import { compareVersions, isVersion } from "../../rules/release/version.ts";
import {
  changeCatalog,
  formatJson,
  refuse,
  type Change,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";

export interface NewDraft {
  readonly version: string;
  readonly buildNumber: number;
  readonly channel: ReleaseChannel;
  /** Absent: as the newest release of the channel says, or the version itself. */
  readonly minimumSupportedVersion?: string | undefined;
  readonly mandatoryAfter?: string | undefined;
}

export interface CreatedDraft {
  readonly file: string;
  readonly release: DraftRelease;
}

export async function createDraft(
  bench: CatalogContext,
  draft: NewDraft,
): Promise<Change<CreatedDraft>> {
  const wrong = checkValues(draft);
  if (wrong !== null) return wrong;
  return changeCatalog<CreatedDraft>(bench, ({ catalog }) => {
    const refusal = checkPlace(draft, catalog);
    if (refusal !== null) return refusal;
    const release = fillDraft(draft, catalog);
    const file = releaseFile(draft.version);
    return {
      kind: "change",
      changes: [{ file, content: formatJson(release) }],
      result: { file, release },
    };
  });
}

function checkValues(draft: NewDraft): PublishingError | null {
  const { version, minimumSupportedVersion: minimum, mandatoryAfter } = draft;
  for (const text of [version, minimum]) {
    if (text !== undefined && !isVersion(text)) {
      return refuse(`"${text}" is no version: use three numbers such as 2.1.0`);
    }
  }
  if (minimum !== undefined && compareVersions(minimum, version) > 0) {
    return refuse(
      `--minimum-supported ${minimum} is newer than ${version}: use ${version} or older`,
    );
  }
  if (mandatoryAfter !== undefined && parseDateTime(mandatoryAfter) === null) {
    return refuse(
      `"${mandatoryAfter}" is no time: write it as RFC 3339, such as 2026-01-31T12:00:00Z`,
    );
  }
  return null;
}

/** What would stop the release from being published is said now, before files are built for it. */
function checkPlace(draft: NewDraft, { releases }: Catalog): PublishingError | null {
  const { version, buildNumber, channel } = draft;
  const same = releases.find((release) => release.version === version);
  if (same !== undefined) {
    return refuse(`There is already a release ${version} (${same.status}): use a newer version`);
  }
  const settled = releases.filter(wasPublished);
  const newest = latestOf(settled, channel);
  if (newest !== undefined && compareVersions(version, newest.version) <= 0) {
    return refuse(
      `${version} is older than ${newest.version}, the newest release of the channel "${channel}": use a newer version`,
    );
  }
  const inTheWay =
    releases.find((release) => release.buildNumber === buildNumber) ??
    settled.find((release) => release.buildNumber > buildNumber);
  if (inTheWay === undefined) return null;
  const relation =
    inTheWay.buildNumber === buildNumber ? "is taken by" : "is not higher than that of";
  return refuse(
    `Build ${buildNumber} ${relation} ${inTheWay.version} (build ${inTheWay.buildNumber}): use --build ${nextBuild(releases)}`,
  );
}

/** Releases are newest build first. */
function nextBuild([newest]: readonly SourceRelease[]): number {
  return (newest?.buildNumber ?? 0) + 1;
}

function fillDraft(draft: NewDraft, { releases }: Catalog): DraftRelease {
  const { version, buildNumber, channel } = draft;
  const newest = latestOf(releases.filter(wasPublished), channel);
  return {
    version,
    buildNumber,
    channel,
    status: "draft",
    publishedAt: null,
    minimumSupportedVersion:
      draft.minimumSupportedVersion ?? newest?.minimumSupportedVersion ?? version,
    mandatoryAfter: draft.mandatoryAfter ?? null,
    notes: { added: [], changed: [], fixed: [], security: [] },
    artifacts: [],
  };
}
