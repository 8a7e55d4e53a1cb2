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
  changeResponse(isList, (answer) => editBody<ReleaseList>(answer, edit));

const editRelease = (edit: (release: Release) => unknown) =>
  changeResponse(isOk(/\/releases\/[^/]+$/), (answer) => editBody<Release>(answer, edit));

export const BREAKS_OF_RELEASES: readonly ReleaseBreak[] = [
  {
    name: "lists the oldest first",
    caughtBy: ["list-is-newest-build-first", "latest-is-the-first-of-the-list"],
    answer: editList((list) => {
      list.releases = list.releases.toReversed();
    }),
  },
  {
    name: "adds a field to the entries of the list",
    caughtBy: ["list-is-newest-build-first", "list-pages-add-up"],
    answer: editList((list) => ({
      ...list,
      releases: list.releases.map((item) => ({ ...item, status: "published" })),
    })),
  },
  {
    name: "lists beta releases among the stable ones",
    caughtBy: ["list-holds-one-channel"],
    answer: editList(({ releases }) => {
      const [first] = releases;
      if (first !== undefined) first.channel = "beta";
    }),
  },
  {
    name: "lists ten by default",
    caughtBy: ["list-starts-with-the-first-twenty"],
    answer: changeRequest((exchange) =>
      exchange.target === LIST ? withTarget(exchange, `${LIST}?limit=10`) : exchange,
    ),
  },
  {
    name: "shows a release on later pages that the first page of all does not have",
    caughtBy: ["list-pages-add-up"],
    answer: changeResponse(isList, (answer) =>
      editBody<ReleaseList>(answer, ({ page, releases }) => {
        const [first] = releases;
        if (page > 1 && first !== undefined) releases.splice(0, 1, { ...first, version: "9.9.9" });
      }),
    ),
  },
  {
    name: "counts the drafts in the total",
    caughtBy: ["list-pages-add-up", "empty-page-is-valid"],
    answer: editList((list) => {
      list.total += 2;
    }),
  },
  {
    name: "answers 404 to a page beyond the end",
    caughtBy: ["empty-page-is-valid"],
    answer: async (exchange, { honest }) => {
      const answer = await honest(exchange);
      const isEmpty = String(answer.body).includes('"releases":[]');
      return isEmpty ? honest(withTarget(exchange, "/no-such-page")) : answer;
    },
  },
  {
    name: "reads numbers as a lenient language does",
    caughtBy: ["page-and-limit-are-canonical-integers", "update-build-is-a-canonical-integer"],
    answer: changeRequest((exchange) =>
      withTarget(
        exchange,
        exchange.target.replaceAll(/(?<=[?&](?:page|limit|build)=)[^&%]+/g, (text) =>
          String(Number(text.replaceAll("+", " "))),
        ),
      ),
    ),
  },
  {
    name: "cuts a limit over 100 down to it",
    caughtBy: ["page-and-limit-are-canonical-integers"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace("limit=101", "limit=100")),
    ),
  },
  {
    name: "looks at the channel before the page",
    caughtBy: ["pagination-is-checked-before-the-channel"],
    answer: changeResponse(
      ({ status }, exchange) => status === 400 && /channel=(?!stable|beta)/.test(queryOf(exchange)),
      (answer) => withCode(answer, 400, "invalid_channel"),
    ),
  },
  {
    name: "dates the entries of the list anew",
    caughtBy: ["list-entries-agree-with-their-releases"],
    answer: editList(({ releases }) => {
      for (const item of releases) item.publishedAt = new Date().toISOString();
    }),
  },
  {
    name: "counts the builds of each channel for itself",
    caughtBy: ["build-numbers-grow-with-publication"],
    answer: editList(({ releases }) => {
      for (const [index, item] of releases.entries()) item.buildNumber = 100 - index;
    }),
  },
  {
    name: "gives a hotfix of an old version the highest build",
    caughtBy: ["versions-grow-with-builds"],
    answer: editList(({ releases }) => {
      const [newest] = releases;
      if (newest !== undefined) newest.version = "1.0.1";
    }),
  },
  {
    name: "says that a Linux program comes from a store",
    caughtBy: ["releases-are-coherent"],
    answer: editRelease(({ artifacts }) => {
      for (const artifact of artifacts) artifact.distribution = "play";
    }),
  },
  {
    name: "shows media that it does not have",
    caughtBy: ["releases-are-coherent"],
    answer: editRelease(({ media: _media, ...release }) => release),
  },
  {
    name: "supports no client older than the next release",
    caughtBy: ["releases-are-coherent"],
    answer: editRelease((release) => ({ ...release, minimumSupportedVersion: "1.10.0" })),
  },
  {
    name: "takes an older release for the latest",
    caughtBy: ["latest-is-the-first-of-the-list", "latest-is-the-concrete-release"],
    answer: (exchange, { honest }) =>
      honest(
        pathOf(exchange).endsWith("/latest") && !queryOf(exchange).includes("beta")
          ? withTarget(exchange, `${LIST}/1.0.1`)
          : exchange,
      ),
  },
  {
    name: "leaves the story out of the latest release",
    caughtBy: ["latest-is-the-concrete-release"],
    answer: changeResponse(isLatest, (answer) =>
      editBody<Release>(answer, ({ presentation: _story, ...rest }) => rest),
    ),
  },
  {
    name: "adds a field to releases",
    caughtBy: ["latest-is-the-first-of-the-list", "release-is-found-in-any-channel"],
    answer: editRelease((release) => ({ ...release, downloadCount: 7 })),
  },
  {
    name: "serves an artifact by plain http",
    caughtBy: ["release-is-found-in-any-channel"],
    answer: changeResponse(isOk(/\/releases\/[^/]+$/), (answer) =>
      withBody(answer, String(answer.body).replaceAll("https://", "http://")),
    ),
  },
  {
    name: "has downloads of the latest release under that name",
    caughtBy: ["latest-is-no-version"],
    answer: (exchange, { honest, fixtures }) =>
      honest(
        withTarget(
          exchange,
          exchange.target.replace("latest/downloads", `${fixtures.stable?.version}/downloads`),
        ),
      ),
  },
  {
    name: "serves the newest release of any channel by default",
    caughtBy: ["beta-is-served-only-when-asked"],
    answer: changeRequest((exchange) =>
      exchange.target.endsWith("/latest")
        ? withTarget(exchange, `${exchange.target}?channel=beta`)
        : exchange,
    ),
  },
  {
    name: "offers beta builds to stable clients",
    caughtBy: ["beta-is-served-only-when-asked"],
    answer: changeRequest((exchange) =>
      pathOf(exchange).startsWith("/api/v1/update/") && !exchange.target.includes("channel")
        ? withTarget(exchange, `${exchange.target}&channel=beta`)
        : exchange,
    ),
  },
  {
    name: "answers an empty object when nothing is published",
    caughtBy: ["nothing-published-is-release-not-found"],
    answer: async (exchange, { honest }) => {
      const answer = await honest(exchange);
      const isMissing = String(answer.body).includes("release_not_found");
      return isMissing && pathOf(exchange).endsWith("/latest") ? jsonResponse(200, "{}") : answer;
    },
  },
  {
    name: "finds only stable versions",
    caughtBy: ["release-is-found-in-any-channel"],
    answer: async (exchange, { honest, fixtures }) =>
      honest(
        pathOf(exchange) === `${LIST}/${fixtures.beta?.version}`
          ? withTarget(exchange, `${LIST}/0.0.0`)
          : exchange,
      ),
  },
  {
    name: "accepts a leading v",
    caughtBy: ["unknown-versions-are-not-found"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace("/releases/v", "/releases/")),
    ),
  },
  {
    name: "sorts the downloads in its own way",
    caughtBy: ["downloads-are-the-artifacts-of-the-release"],
    answer: changeResponse(isOk(/\/downloads$/), (answer) =>
      editBody<ReleaseDownloads>(answer, (downloads) => {
        downloads.artifacts = downloads.artifacts.toReversed();
      }),
    ),
  },
  {
    name: "serves a draft to whoever knows its version",
    caughtBy: ["drafts-are-never-exposed"],
    answer: async (exchange, { honest, fixtures }) => {
      const version = fixtures.drafts?.[0] ?? "";
      if (pathOf(exchange) !== `${LIST}/${version}`) return honest(exchange);
      const other = await honest(withTarget(exchange, `${LIST}/${fixtures.stable?.version}`));
      return editBody<Release>(other, (release) => ({ ...release, version }));
    },
  },
  {
    name: "answers another code for a draft, and so tells that there is one",
    caughtBy: ["drafts-are-never-exposed"],
    answer: async (exchange, { honest, fixtures }) => {
      const answer = await honest(exchange);
      const isDraft =
        fixtures.drafts?.some((version) => exchange.target.includes(version)) ?? false;
      return isDraft ? withCode(answer, 404, "not_found") : answer;
    },
  },
  {
    name: "keeps a withdrawn release in the list",
    caughtBy: ["withdrawn-releases-are-not-served"],
    answer: async (exchange, { honest, fixtures }) => {
      const answer = await honest(exchange);
      if (!isList(answer, exchange)) return answer;
      return editBody<ReleaseList>(answer, ({ releases }) => {
        const [first] = releases;
        if (first !== undefined)
          releases.unshift({ ...first, version: fixtures.withdrawn?.[0] ?? "" });
      });
    },
  },
  {
    name: "keeps the downloads of a withdrawn release",
    caughtBy: ["withdrawn-releases-are-not-served"],
    answer: (exchange, { honest, fixtures }) =>
      honest(
        pathOf(exchange).endsWith("/downloads")
          ? withTarget(
              exchange,
              exchange.target.replace(
                fixtures.withdrawn?.[0] ?? "",
                fixtures.stable?.version ?? "",
              ),
            )
          : exchange,
      ),
  },
];
