/** Finds every fault that one release of a catalogue has by itself. */
import { createChecker, type Checker } from "../../contract/check.ts";
import {
  DraftRelease,
  PublishedSource,
  WithdrawnSource,
  type SourceRelease,
} from "../../contract/release/catalog.ts";
import type { ReleaseRecord } from "./catalog.ts";
import { readChecked, type CatalogFault } from "./catalog-fault.ts";
import { CATALOG_FILE, releaseFile } from "./catalog-file-names.ts";
import { compareVersions } from "./version.ts";

/** A release that was checked by itself. */
export interface CheckedSource<R extends ReleaseRecord = SourceRelease> {
  readonly file: string;
  /** Undefined when the file has not the shape of one. */
  readonly release: R | undefined;
  readonly faults: readonly CatalogFault[];
}

/** What can be said of one release without the others. */
export function checkSource(
  file: string,
  value: unknown,
  artifactHosts: readonly string[],
): CheckedSource {
  const faults: CatalogFault[] = [];
  const release = readChecked(checkerFor(value), file, value, faults);
  if (release !== undefined) faults.push(...checkRelease(file, release, artifactHosts));
  return { file, release, faults };
}

const releaseCheckers = {
  draft: createChecker(DraftRelease),
  published: createChecker(PublishedSource),
  withdrawn: createChecker(WithdrawnSource),
};

/** What a file must have depends on its status: without a known one nothing else is told. */
function checkerFor(value: unknown): Checker<SourceRelease> {
  const status = (value as { status?: unknown } | null)?.status;
  return typeof status === "string" && Object.hasOwn(releaseCheckers, status)
    ? releaseCheckers[status as SourceRelease["status"]]
    : STATUS_CHECKER;
}

const STATUS_CHECKER: Checker<SourceRelease> = {
  is: (_value): _value is SourceRelease => false,
  faults: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [{ path: "status", problem: 'must be "draft", "published" or "withdrawn"' }]
      : [{ path: "", problem: "must be a JSON object" }],
};

/** What one release must obey by itself, beyond its shape. */
function checkRelease(
  file: string,
  release: SourceRelease,
  artifactHosts: readonly string[],
): CatalogFault[] {
  const faults: CatalogFault[] = [];
  const fault = (path: string, problem: string, remedy: string) =>
    faults.push({ file, path, problem, remedy });

  if (file !== releaseFile(release.version)) {
    fault("version", `is "${release.version}", which is not the file's name`, "make the two equal");
  }
  if (compareVersions(release.minimumSupportedVersion, release.version) > 0) {
    fault(
      "minimumSupportedVersion",
      `"${release.minimumSupportedVersion}" is newer than the release`,
      `use ${release.version} or an older version`,
    );
  }
  checkNumber("buildNumber", release.buildNumber, fault);
  checkArtifacts(release, artifactHosts, fault);
  checkStory(release, fault);
  return faults;
}

/** JSON has larger integers, but clients would each read another number. */
function checkNumber(path: string, value: number | undefined, fault: Report): void {
  if (value !== undefined && value > Number.MAX_SAFE_INTEGER) {
    fault(path, `${value} is too large`, `use at most ${Number.MAX_SAFE_INTEGER}`);
  }
}

type Report = (path: string, problem: string, remedy: string) => void;

function checkArtifacts(
  release: SourceRelease,
  artifactHosts: readonly string[],
  fault: Report,
): void {
  const identities = new Map<string, number>();
  const storeAt = new Map<string, number>();
  release.artifacts.forEach((artifact, index) => {
    const at = `artifacts[${index}]`;
    const kind = `${artifact.platform} ${artifact.architecture}`;
    const identity = `${kind} ${artifact.fileName}`;
    const before = identities.get(identity);
    if (before !== undefined) {
      fault(at, `is the same file as artifacts[${before}] (${identity})`, "remove one of the two");
    }
    identities.set(identity, index);

    if (artifact.platform === "android" && artifact.distribution === undefined) {
      fault(`${at}.distribution`, "is missing", 'an android artifact says "direct" or "play"');
    }
    if (artifact.platform !== "android" && artifact.distribution !== undefined) {
      fault(`${at}.distribution`, "is only for android artifacts", "remove it");
    }
    const store = storeAt.get(kind);
    if (artifact.distribution === "play") storeAt.set(kind, index);
    else if (store !== undefined) {
      fault(
        at,
        `(direct) stands after artifacts[${store}] (play) of the same platform and architecture`,
        "put the direct artifact first: it is the one a download redirects to",
      );
    }
    checkNumber(`${at}.size`, artifact.size, fault);
    if (artifact.url !== undefined) checkHost(`${at}.url`, artifact.url, artifactHosts, fault);
  });
}

const AUTHORITY = /^https:\/\/([^/?#]*)/;

function checkHost(path: string, url: string, allowed: readonly string[], fault: Report): void {
  const authority = (AUTHORITY.exec(url)?.[1] ?? "").toLowerCase();
  if (authority === "" || authority.includes("@")) {
    fault(
      path,
      `"${url}" has no plain host name`,
      "use https://host/path without user information",
    );
    return;
  }
  if (allowed.includes(authority)) return;
  const host = authority.replace(/:\d+$/, "");
  const isAllowed = allowed.some((entry) => [authority, host].includes(entry.toLowerCase()));
  if (allowed.length > 0 && !isAllowed) {
    fault(
      path,
      `points to "${authority}", which is not an allowed host`,
      `use one of ${allowed.join(", ")}, or add the host to artifactHosts in ${CATALOG_FILE}`,
    );
  }
}

function checkStory(release: SourceRelease, fault: Report): void {
  const mediaIds = new Set<string>();
  release.media?.forEach((media, index) => {
    if (mediaIds.has(media.id)) {
      fault(`media[${index}].id`, `"${media.id}" is used twice`, "give each media its own id");
    }
    mediaIds.add(media.id);
    checkNumber(`media[${index}].size`, media.size, fault);
    // A picture may lie with the website; only artifacts are bound to their hosts.
    checkHost(`media[${index}].url`, media.url, [], fault);
  });
  for (const language of ["de", "en"] as const) {
    release.presentation?.[language].highlights.forEach(({ mediaId }, index) => {
      if (mediaId === undefined || mediaIds.has(mediaId)) return;
      fault(
        `presentation.${language}.highlights[${index}].mediaId`,
        `"${mediaId}" names no media of this release`,
        "add the media, or remove the reference",
      );
    });
  }
}
