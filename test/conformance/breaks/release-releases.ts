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
  toBreaks,
} from "./break.ts";

const isList = isOk(/^\/api\/v1\/releases$/);
const isLatest = isOk(/\/latest$/);
const LIST = "/api/v1/releases";

const editList = (edit: (list: ReleaseList) => unknown) =>
  changeResponse(isList, (response) => editBody<ReleaseList>(response, edit));

const editRelease = (edit: (release: Release) => unknown) =>
  changeResponse(isOk(/\/releases\/[^/]+$/), (response) => editBody<Release>(response, edit));

export const BREAKS_OF_RELEASES = toBreaks<ReleaseBreak>({
  "list-is-newest-build-first, latest-is-the-first-of-the-list": {
    "lists the oldest first": editList((list) => {
      list.releases = list.releases.toReversed();
    }),
  },
  "list-is-newest-build-first, list-pages-add-up": {
    "adds a field to the entries of the list": editList((list) => ({
      ...list,
      releases: list.releases.map((item) => ({ ...item, status: "published" })),
    })),
  },
  "list-holds-one-channel": {
    "lists beta releases among the stable ones": editList(({ releases }) => {
      const [first] = releases;
      if (first !== undefined) first.channel = "beta";
    }),
  },
  "list-starts-with-the-first-twenty": {
    "lists ten by default": changeRequest((request) =>
      request.target === LIST ? withTarget(request, `${LIST}?limit=10`) : request,
    ),
  },
  "list-pages-add-up": {
    "shows a release on later pages that the first page of all does not have": changeResponse(
      isList,
      (response) =>
        editBody<ReleaseList>(response, ({ page, releases }) => {
          const [first] = releases;
          if (page > 1 && first !== undefined)
            releases.splice(0, 1, { ...first, version: "9.9.9" });
        }),
    ),
  },
  "list-pages-add-up, empty-page-is-valid": {
    "counts the drafts in the total": editList((list) => {
      list.total += 2;
    }),
  },
  "empty-page-is-valid": {
    "sends 404 to a page beyond the end": async (request, { real }) => {
      const response = await real(request);
      const isEmpty = String(response.body).includes('"releases":[]');
      return isEmpty ? real(withTarget(request, "/no-such-page")) : response;
    },
  },
  "page-and-limit-are-canonical-integers, update-build-is-a-canonical-integer": {
    "reads numbers as a lenient language does": changeRequest((request) =>
      withTarget(
        request,
        request.target.replaceAll(/(?<=[?&](?:page|limit|build)=)[^&%]+/g, (text) =>
          String(Number(text.replaceAll("+", " "))),
        ),
      ),
    ),
  },
  "page-and-limit-are-canonical-integers": {
    "cuts a limit over 100 down to it": changeRequest((request) =>
      withTarget(request, request.target.replace("limit=101", "limit=100")),
    ),
  },
  "pagination-is-checked-before-the-channel": {
    "looks at the channel before the page": changeResponse(
      ({ status }, request) => status === 400 && /channel=(?!stable|beta)/.test(queryOf(request)),
      (response) => withCode(response, 400, "invalid_channel"),
    ),
  },
  "list-entries-agree-with-their-releases": {
    "dates the entries of the list anew": editList(({ releases }) => {
      for (const item of releases) item.publishedAt = new Date().toISOString();
    }),
  },
  "build-numbers-grow-with-publication": {
    "counts the builds of each channel for itself": editList(({ releases }) => {
      for (const [index, item] of releases.entries()) item.buildNumber = 100 - index;
    }),
  },
  "versions-grow-with-builds": {
    "gives a hotfix of an old version the highest build": editList(({ releases }) => {
      const [newest] = releases;
      if (newest !== undefined) newest.version = "1.0.1";
    }),
  },
  "releases-are-coherent": {
    "says that a Linux program comes from a store": editRelease(({ artifacts }) => {
      for (const artifact of artifacts) artifact.distribution = "play";
    }),
    "shows media that it does not have": editRelease(({ media: _media, ...release }) => release),
    "supports no client older than the next release": editRelease((release) => ({
      ...release,
      minimumSupportedVersion: "1.10.0",
    })),
  },
  "latest-is-the-first-of-the-list, latest-is-the-concrete-release": {
    "takes an older release for the latest": (request, { real }) =>
      real(
        pathOf(request).endsWith("/latest") && !queryOf(request).includes("beta")
          ? withTarget(request, `${LIST}/1.0.1`)
          : request,
      ),
  },
  "latest-is-the-concrete-release": {
    "leaves the presentation out of the latest release": changeResponse(isLatest, (response) =>
      editBody<Release>(response, ({ presentation: _story, ...rest }) => rest),
    ),
  },
  "latest-is-the-first-of-the-list, release-is-found-in-any-channel": {
    "adds a field to releases": editRelease((release) => ({ ...release, downloadCount: 7 })),
  },
  "release-is-found-in-any-channel": {
    "serves an artifact by plain http": changeResponse(isOk(/\/releases\/[^/]+$/), (response) =>
      withBody(response, String(response.body).replaceAll("https://", "http://")),
    ),
    "finds only stable versions": async (request, { real, fixtures }) =>
      real(
        pathOf(request) === `${LIST}/${fixtures.beta?.version}`
          ? withTarget(request, `${LIST}/0.0.0`)
          : request,
      ),
  },
  "latest-is-no-version": {
    "has downloads of the latest release under that name": (request, { real, fixtures }) =>
      real(
        withTarget(
          request,
          request.target.replace("latest/downloads", `${fixtures.stable?.version}/downloads`),
        ),
      ),
  },
  "beta-is-served-only-when-asked": {
    "serves the newest release of any channel by default": changeRequest((request) =>
      request.target.endsWith("/latest")
        ? withTarget(request, `${request.target}?channel=beta`)
        : request,
    ),
    "offers beta builds to stable clients": changeRequest((request) =>
      pathOf(request).startsWith("/api/v1/update/") && !request.target.includes("channel")
        ? withTarget(request, `${request.target}&channel=beta`)
        : request,
    ),
  },
  "nothing-published-is-release-not-found": {
    "sends an empty object when nothing is published": async (request, { real }) => {
      const response = await real(request);
      const isMissing = String(response.body).includes("release_not_found");
      return isMissing && pathOf(request).endsWith("/latest") ? jsonResponse(200, "{}") : response;
    },
  },
  "unknown-versions-are-not-found": {
    "accepts a leading v": changeRequest((request) =>
      withTarget(request, request.target.replace("/releases/v", "/releases/")),
    ),
  },
  "downloads-are-the-artifacts-of-the-release": {
    "sorts the downloads in its own way": changeResponse(isOk(/\/downloads$/), (response) =>
      editBody<ReleaseDownloads>(response, (downloads) => {
        downloads.artifacts = downloads.artifacts.toReversed();
      }),
    ),
  },
  "drafts-are-never-exposed": {
    "serves a draft by its version": async (request, { real, fixtures }) => {
      const version = fixtures.drafts?.[0] ?? "";
      if (pathOf(request) !== `${LIST}/${version}`) return real(request);
      const other = await real(withTarget(request, `${LIST}/${fixtures.stable?.version}`));
      return editBody<Release>(other, (release) => ({ ...release, version }));
    },
    "sends another code for a draft, which reveals it": async (request, { real, fixtures }) => {
      const response = await real(request);
      const isDraft = fixtures.drafts?.some((version) => request.target.includes(version)) ?? false;
      return isDraft ? withCode(response, 404, "not_found") : response;
    },
  },
  "withdrawn-releases-are-not-served": {
    "keeps a withdrawn release in the list": async (request, { real, fixtures }) => {
      const response = await real(request);
      if (!isList(response, request)) return response;
      return editBody<ReleaseList>(response, ({ releases }) => {
        const [first] = releases;
        if (first !== undefined)
          releases.unshift({ ...first, version: fixtures.withdrawn?.[0] ?? "" });
      });
    },
    "keeps the downloads of a withdrawn release": (request, { real, fixtures }) =>
      real(
        pathOf(request).endsWith("/downloads")
          ? withTarget(
              request,
              request.target.replace(fixtures.withdrawn?.[0] ?? "", fixtures.stable?.version ?? ""),
            )
          : request,
      ),
  },
});
