/** The rules that one release of a catalogue can be checked for without the others. */
import { createChecker, type Checker } from "../../contract/check.ts";
import { isObject } from "../../contract/is-object.ts";
import {
  DraftRelease,
  PublishedSource,
  WithdrawnSource,
  type SourceRelease,
} from "../../contract/release/catalog.ts";
import { checkAgainstSchema, type CatalogFileError } from "./catalog-file-error.ts";
import { CATALOG_FILE, releaseFile, versionOfFile } from "./catalog-files.ts";
import { findTauriSignatureError } from "./minisign.ts";
import { compareVersions } from "./version.ts";

/** Undefined when the value is no release; `errors` gets everything that is wrong. */
export function validateRelease(
  file: string,
  value: unknown,
  artifactHosts: readonly string[],
  errors: CatalogFileError[],
): SourceRelease | undefined {
  if (isPublishedByHand(value)) {
    errors.push({
      file,
      path: "status",
      problem: 'is "published", but the release has no publishedAt: it was set by hand',
      remedy: `set it back to "draft" and publish it with \`trellis release publish ${versionOfFile(file)}\``,
    });
    return undefined;
  }
  const release = checkAgainstSchema(checkerFor(value), file, value, errors);
  if (release === undefined) return undefined;
  const report: Report = (path, problem, remedy) => errors.push({ file, path, problem, remedy });
  if (file !== releaseFile(release.version)) {
    const problem = `is "${release.version}", which is not the file's name`;
    report("version", problem, "make the two equal");
  }
  if (compareVersions(release.minimumSupportedVersion, release.version) > 0) {
    report(
      "minimumSupportedVersion",
      `"${release.minimumSupportedVersion}" is newer than the release`,
      `use ${release.version} or an older version`,
    );
  }
  checkNumber("buildNumber", release.buildNumber, report);
  checkArtifacts(release, artifactHosts, report);
  checkPresentation(release, report);
  return release;
}

/** `publish` writes the status and the time together. */
function isPublishedByHand(value: unknown): boolean {
  return (
    isObject(value) && value["status"] === "published" && (value["publishedAt"] ?? null) === null
  );
}

type Report = (path: string, problem: string, remedy: string) => void;

const releaseCheckers = {
  draft: createChecker(DraftRelease),
  published: createChecker(PublishedSource),
  withdrawn: createChecker(WithdrawnSource),
};

/** Which members a file must have depends on its status, so only an unknown status is reported. */
function checkerFor(value: unknown): Checker<SourceRelease> {
  const status = isObject(value) ? value["status"] : undefined;
  return typeof status === "string" && Object.hasOwn(releaseCheckers, status)
    ? releaseCheckers[status as SourceRelease["status"]]
    : STATUS_CHECKER;
}

const STATUS_CHECKER: Checker<SourceRelease> = {
  is: (_value): _value is SourceRelease => false,
  errors: (value) =>
    isObject(value)
      ? [{ path: "status", problem: 'must be "draft", "published" or "withdrawn"' }]
      : [{ path: "", problem: "must be a JSON object" }],
};

/** JSON has larger integers, but clients would round them differently. */
function checkNumber(path: string, value: number | undefined, report: Report): void {
  if (value !== undefined && value > Number.MAX_SAFE_INTEGER) {
    report(path, `${value} is too large`, `use at most ${Number.MAX_SAFE_INTEGER}`);
  }
}

function checkArtifacts(
  release: SourceRelease,
  artifactHosts: readonly string[],
  report: Report,
): void {
  const identities = new Map<string, number>();
  const storeAt = new Map<string, number>();
  release.artifacts.forEach((artifact, index) => {
    const at = `artifacts[${index}]`;
    const kind = `${artifact.platform} ${artifact.architecture}`;
    const identity = `${kind} ${artifact.fileName}`;
    const before = identities.get(identity);
    if (before !== undefined) {
      report(at, `is the same file as artifacts[${before}] (${identity})`, "remove one of the two");
    }
    identities.set(identity, index);

    if (artifact.platform === "android" && artifact.distribution === undefined) {
      report(`${at}.distribution`, "is missing", 'an android artifact says "direct" or "play"');
    }
    if (artifact.platform !== "android" && artifact.distribution !== undefined) {
      report(`${at}.distribution`, "is only for android artifacts", "remove it");
    }
    const store = storeAt.get(kind);
    if (artifact.distribution === "play") storeAt.set(kind, index);
    else if (store !== undefined) {
      report(
        at,
        `(direct) comes after artifacts[${store}] (play) of the same platform and architecture`,
        "put the direct artifact first: it is the one a download redirects to",
      );
    }
    checkNumber(`${at}.size`, artifact.size, report);
    if (artifact.url !== undefined) checkHost(`${at}.url`, artifact.url, artifactHosts, report);
    checkMinisign(`${at}.signatures.minisign`, artifact.signatures?.minisign, report);
  });
}

/** The form alone: neither the file nor the key it was signed with needs to be here. */
function checkMinisign(path: string, text: string | undefined, report: Report): void {
  const error = text === undefined ? null : findTauriSignatureError(text);
  if (error === null) return;
  report(
    path,
    `is not a signature of minisign (${error})`,
    "use the content of the .sig file, which `trellis release add-artifact --signature-file` enters",
  );
}

const AUTHORITY = /^https:\/\/([^/?#]*)/;

function checkHost(path: string, url: string, allowed: readonly string[], report: Report): void {
  const authority = (AUTHORITY.exec(url)?.[1] ?? "").toLowerCase();
  if (authority === "" || authority.includes("@")) {
    report(
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
    report(
      path,
      `points to "${authority}", which is not an allowed host`,
      `use one of ${allowed.join(", ")}, or add the host to artifactHosts in ${CATALOG_FILE}`,
    );
  }
}

function checkPresentation(release: SourceRelease, report: Report): void {
  const mediaIds = new Set<string>();
  release.media?.forEach((media, index) => {
    if (mediaIds.has(media.id)) {
      report(`media[${index}].id`, `"${media.id}" is used twice`, "give each media its own id");
    }
    mediaIds.add(media.id);
    checkNumber(`media[${index}].size`, media.size, report);
    // Pictures may be hosted with the website; artifactHosts is about artifacts.
    checkHost(`media[${index}].url`, media.url, [], report);
  });
  for (const language of ["de", "en"] as const) {
    release.presentation?.[language].highlights.forEach(({ mediaId }, index) => {
      if (mediaId === undefined || mediaIds.has(mediaId)) return;
      report(
        `presentation.${language}.highlights[${index}].mediaId`,
        `"${mediaId}" names no media of this release`,
        "add the media, or remove the reference",
      );
    });
  }
}
