import type {
  Release,
  ReleaseDownloads,
  ReleaseList,
} from "../../../src/contract/release/schemas.ts";
import { jsonResponse } from "../../../src/http/response.ts";
import {
  changeResponse,
  changeRequest,
  editBody,
  isOk,
  pathOf,
  queryOf,
  withBody,
  withCode,
  withTarget,
  type ReleaseBreak,
} from "./break.ts";

const isList = isOk(/^\/api\/v1\/releases$/);
const isLatest = isOk(/\/latest$/);
const LIST = "/api/v1/releases";

const editList = (edit: (list: ReleaseList) => unknown) =>
  changeResponse(isList, (response) => editBody<ReleaseList>(response, edit));

const editRelease = (edit: (release: Release) => unknown) =>
  changeResponse(isOk(/\/releases\/[^/]+$/), (response) => editBody<Release>(response, edit));

export const BREAKS_OF_RELEASES: readonly ReleaseBreak[] = [
  {
    name: "lists the oldest first",
    caughtBy: ["list-is-newest-build-first", "latest-is-the-first-of-the-list"],
    respond: editList((list) => {
      list.releases = list.releases.toReversed();
    }),
  },
  {
    name: "adds a field to the entries of the list",
    caughtBy: ["list-is-newest-build-first", "list-pages-add-up"],
    respond: editList((list) => ({
      ...list,
      releases: list.releases.map((item) => ({ ...item, status: "published" })),
    })),
  },
  {
    name: "lists beta releases among the stable ones",
    caughtBy: ["list-holds-one-channel"],
    respond: editList(({ releases }) => {
      const [first] = releases;
      if (first !== undefined) first.channel = "beta";
    }),
  },
  {
    name: "lists ten by default",
    caughtBy: ["list-starts-with-the-first-twenty"],
    respond: changeRequest((request) =>
      request.target === LIST ? withTarget(request, `${LIST}?limit=10`) : request,
    ),
  },
  {
    name: "shows a release on later pages that the first page of all does not have",
    caughtBy: ["list-pages-add-up"],
    respond: changeResponse(isList, (response) =>
      editBody<ReleaseList>(response, ({ page, releases }) => {
        const [first] = releases;
        if (page > 1 && first !== undefined) releases.splice(0, 1, { ...first, version: "9.9.9" });
      }),
    ),
  },
  {
    name: "counts the drafts in the total",
    caughtBy: ["list-pages-add-up", "empty-page-is-valid"],
    respond: editList((list) => {
      list.total += 2;
    }),
  },
  {
    name: "sends 404 to a page beyond the end",
    caughtBy: ["empty-page-is-valid"],
    respond: async (request, { real }) => {
      const response = await real(request);
      const isEmpty = String(response.body).includes('"releases":[]');
      return isEmpty ? real(withTarget(request, "/no-such-page")) : response;
    },
  },
  {
    name: "reads numbers as a lenient language does",
    caughtBy: ["page-and-limit-are-canonical-integers", "update-build-is-a-canonical-integer"],
    respond: changeRequest((request) =>
      withTarget(
        request,
        request.target.replaceAll(/(?<=[?&](?:page|limit|build)=)[^&%]+/g, (text) =>
          String(Number(text.replaceAll("+", " "))),
        ),
      ),
    ),
  },
  {
    name: "cuts a limit over 100 down to it",
    caughtBy: ["page-and-limit-are-canonical-integers"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace("limit=101", "limit=100")),
    ),
  },
  {
    name: "looks at the channel before the page",
    caughtBy: ["pagination-is-checked-before-the-channel"],
    respond: changeResponse(
      ({ status }, request) => status === 400 && /channel=(?!stable|beta)/.test(queryOf(request)),
      (response) => withCode(response, 400, "invalid_channel"),
    ),
  },
  {
    name: "dates the entries of the list anew",
    caughtBy: ["list-entries-agree-with-their-releases"],
    respond: editList(({ releases }) => {
      for (const item of releases) item.publishedAt = new Date().toISOString();
    }),
  },
  {
    name: "counts the builds of each channel for itself",
    caughtBy: ["build-numbers-grow-with-publication"],
    respond: editList(({ releases }) => {
      for (const [index, item] of releases.entries()) item.buildNumber = 100 - index;
    }),
  },
  {
    name: "gives a hotfix of an old version the highest build",
    caughtBy: ["versions-grow-with-builds"],
    respond: editList(({ releases }) => {
      const [newest] = releases;
      if (newest !== undefined) newest.version = "1.0.1";
    }),
  },
  {
    name: "says that a Linux program comes from a store",
    caughtBy: ["releases-are-coherent"],
    respond: editRelease(({ artifacts }) => {
      for (const artifact of artifacts) artifact.distribution = "play";
    }),
  },
  {
    name: "shows media that it does not have",
    caughtBy: ["releases-are-coherent"],
    respond: editRelease(({ media: _media, ...release }) => release),
  },
  {
    name: "supports no client older than the next release",
    caughtBy: ["releases-are-coherent"],
    respond: editRelease((release) => ({ ...release, minimumSupportedVersion: "1.10.0" })),
  },
  {
    name: "takes an older release for the latest",
    caughtBy: ["latest-is-the-first-of-the-list", "latest-is-the-concrete-release"],
    respond: (request, { real }) =>
      real(
        pathOf(request).endsWith("/latest") && !queryOf(request).includes("beta")
          ? withTarget(request, `${LIST}/1.0.1`)
          : request,
      ),
  },
  {
    name: "leaves the presentation out of the latest release",
    caughtBy: ["latest-is-the-concrete-release"],
    respond: changeResponse(isLatest, (response) =>
      editBody<Release>(response, ({ presentation: _story, ...rest }) => rest),
    ),
  },
  {
    name: "adds a field to releases",
    caughtBy: ["latest-is-the-first-of-the-list", "release-is-found-in-any-channel"],
    respond: editRelease((release) => ({ ...release, downloadCount: 7 })),
  },
  {
    name: "serves an artifact by plain http",
    caughtBy: ["release-is-found-in-any-channel"],
    respond: changeResponse(isOk(/\/releases\/[^/]+$/), (response) =>
      withBody(response, String(response.body).replaceAll("https://", "http://")),
    ),
  },
  {
    name: "has downloads of the latest release under that name",
    caughtBy: ["latest-is-no-version"],
    respond: (request, { real, fixtures }) =>
      real(
        withTarget(
          request,
          request.target.replace("latest/downloads", `${fixtures.stable?.version}/downloads`),
        ),
      ),
  },
  {
    name: "serves the newest release of any channel by default",
    caughtBy: ["beta-is-served-only-when-asked"],
    respond: changeRequest((request) =>
      request.target.endsWith("/latest")
        ? withTarget(request, `${request.target}?channel=beta`)
        : request,
    ),
  },
  {
    name: "offers beta builds to stable clients",
    caughtBy: ["beta-is-served-only-when-asked"],
    respond: changeRequest((request) =>
      pathOf(request).startsWith("/api/v1/update/") && !request.target.includes("channel")
        ? withTarget(request, `${request.target}&channel=beta`)
        : request,
    ),
  },
  {
    name: "sends an empty object when nothing is published",
    caughtBy: ["nothing-published-is-release-not-found"],
    respond: async (request, { real }) => {
      const response = await real(request);
      const isMissing = String(response.body).includes("release_not_found");
      return isMissing && pathOf(request).endsWith("/latest") ? jsonResponse(200, "{}") : response;
    },
  },
  {
    name: "finds only stable versions",
    caughtBy: ["release-is-found-in-any-channel"],
    respond: async (request, { real, fixtures }) =>
      real(
        pathOf(request) === `${LIST}/${fixtures.beta?.version}`
          ? withTarget(request, `${LIST}/0.0.0`)
          : request,
      ),
  },
  {
    name: "accepts a leading v",
    caughtBy: ["unknown-versions-are-not-found"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace("/releases/v", "/releases/")),
    ),
  },
  {
    name: "sorts the downloads in its own way",
    caughtBy: ["downloads-are-the-artifacts-of-the-release"],
    respond: changeResponse(isOk(/\/downloads$/), (response) =>
      editBody<ReleaseDownloads>(response, (downloads) => {
        downloads.artifacts = downloads.artifacts.toReversed();
      }),
    ),
  },
  {
    name: "serves a draft by its version",
    caughtBy: ["drafts-are-never-exposed"],
    respond: async (request, { real, fixtures }) => {
      const version = fixtures.drafts?.[0] ?? "";
      if (pathOf(request) !== `${LIST}/${version}`) return real(request);
      const other = await real(withTarget(request, `${LIST}/${fixtures.stable?.version}`));
      return editBody<Release>(other, (release) => ({ ...release, version }));
    },
  },
  {
    name: "sends another code for a draft, which reveals it",
    caughtBy: ["drafts-are-never-exposed"],
    respond: async (request, { real, fixtures }) => {
      const response = await real(request);
      const isDraft = fixtures.drafts?.some((version) => request.target.includes(version)) ?? false;
      return isDraft ? withCode(response, 404, "not_found") : response;
    },
  },
  {
    name: "keeps a withdrawn release in the list",
    caughtBy: ["withdrawn-releases-are-not-served"],
    respond: async (request, { real, fixtures }) => {
      const response = await real(request);
      if (!isList(response, request)) return response;
      return editBody<ReleaseList>(response, ({ releases }) => {
        const [first] = releases;
        if (first !== undefined)
          releases.unshift({ ...first, version: fixtures.withdrawn?.[0] ?? "" });
      });
    },
  },
  {
    name: "keeps the downloads of a withdrawn release",
    caughtBy: ["withdrawn-releases-are-not-served"],
    respond: (request, { real, fixtures }) =>
      real(
        pathOf(request).endsWith("/downloads")
          ? withTarget(
              request,
              request.target.replace(fixtures.withdrawn?.[0] ?? "", fixtures.stable?.version ?? ""),
            )
          : request,
      ),
  },
];
