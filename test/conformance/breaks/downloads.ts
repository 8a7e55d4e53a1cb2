import { redirectResponse, type HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request-context.ts";
import {
  changeResponse,
  changeRequest,
  pathOf,
  queryOf,
  withCode,
  withHeader,
  withoutHeader,
  withStatus,
  withTarget,
  type BreakContext,
  type ReleaseBreak,
} from "./break.ts";

const isDownload = (answer: HttpResponse, exchange: RawRequest) =>
  answer.status === 302 && pathOf(exchange).startsWith("/api/v1/download/");

const editLocation = (answer: HttpResponse, edit: (location: string) => string) =>
  withHeader(answer, "Location", edit(answer.headers["Location"] ?? ""));

/** Changes what the selector answers. */
const changeSelector =
  (change: (answer: HttpResponse, exchange: RawRequest) => HttpResponse) =>
  async (exchange: RawRequest, { honest, origin }: BreakContext) => {
    const answer = await honest(exchange);
    return origin === "smartDownload" && answer.status === 302 ? change(answer, exchange) : answer;
  };

/** A selector that takes certain agents for a platform. */
const mistake = (agent: RegExp, platform: string) =>
  changeSelector((answer, { header, target }) =>
    target === "/" && agent.test(header("user-agent") ?? "")
      ? withHeader(answer, "Location", `https://releases.example.org/api/v1/download/${platform}`)
      : answer,
  );

export const BREAKS_OF_DOWNLOADS: readonly ReleaseBreak[] = [
  {
    name: "takes x64 for the default everywhere",
    caughtBy: ["download-uses-the-default-architecture"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace(/(\/download\/macos)(?=\?|$)/, "$1/x64")),
    ),
  },
  {
    name: "redirects to a relative address",
    caughtBy: ["download-leads-to-every-artifact", "download-uses-the-default-architecture"],
    answer: changeResponse(isDownload, (answer) =>
      editLocation(answer, (location) => new URL(location).pathname),
    ),
  },
  {
    name: "redirects to artifacts for good",
    caughtBy: ["download-leads-to-every-artifact"],
    answer: changeResponse(isDownload, (answer) => withStatus(answer, 301)),
  },
  {
    name: "prefers the store bundle",
    caughtBy: ["download-is-the-direct-artifact"],
    answer: changeResponse(isDownload, (answer) =>
      editLocation(answer, (location) => location.replace(/apk$/, "aab")),
    ),
  },
  {
    name: "takes an unknown platform for a missing artifact",
    caughtBy: ["download-refuses-unknown-platforms"],
    answer: changeResponse(
      ({ status }, { target }) => status === 404 && /\/download\/(?:ios|web)/.test(target),
      (answer) => withCode(answer, 404, "artifact_not_found"),
    ),
  },
  {
    name: "reads architectures in any case",
    caughtBy: ["download-refuses-unknown-architectures"],
    answer: changeRequest((exchange) => withTarget(exchange, exchange.target.toLowerCase())),
  },
  {
    name: "falls back to the default when it has no such architecture",
    caughtBy: ["download-refuses-unknown-architectures"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace("/no-such-architecture", "")),
    ),
  },
  {
    name: "looks at the channel before the platform",
    caughtBy: ["download-checks-in-order"],
    answer: changeResponse(
      ({ status }, exchange) => status === 404 && queryOf(exchange) === "channel=nightly",
      (answer) => withCode(answer, 400, "invalid_channel"),
    ),
  },
  {
    name: "forbids caches to keep the redirects to artifacts",
    caughtBy: ["download-redirects-are-kept-for-minutes"],
    answer: changeResponse(isDownload, (answer) => withHeader(answer, "Cache-Control", "no-store")),
  },
  {
    name: "answers 301 at the legacy entry",
    caughtBy: ["legacy-entry-redirects-permanently"],
    answer: changeResponse(
      ({ status }) => status === 308,
      (answer) => withStatus(answer, 301),
    ),
  },
  {
    name: "sends the legacy entry to the API instead of the selector",
    caughtBy: ["legacy-entry-redirects-permanently"],
    answer: changeResponse(
      ({ status }) => status === 308,
      (answer) => editLocation(answer, (location) => location.replace("download.", "releases.")),
    ),
  },
  {
    name: "drops the query at the legacy entry",
    caughtBy: ["legacy-entry-keeps-the-query", "redirects-lead-to-the-artifact"],
    answer: changeResponse(
      ({ status }) => status === 308,
      (answer) => editLocation(answer, (location) => location.split("?")[0] ?? ""),
    ),
  },
  {
    name: "writes the query anew at the legacy entry",
    caughtBy: ["legacy-entry-keeps-the-query"],
    answer: changeResponse(
      ({ status }) => status === 308,
      (answer) =>
        editLocation(answer, (location) => {
          const url = new URL(location);
          url.search = new URLSearchParams(url.search).toString();
          return url.href;
        }),
    ),
  },
  {
    name: "names the stable channel in the selector's redirect",
    caughtBy: ["selector-leads-to-the-download-route", "selector-channel-is-kept-when-beta"],
    answer: changeSelector((answer) =>
      editLocation(answer, (location) =>
        location.includes("channel") ? location : `${location}?channel=stable`,
      ),
    ),
  },
  {
    name: "forgets the beta channel at the selector",
    caughtBy: ["selector-channel-is-kept-when-beta"],
    answer: changeSelector((answer) =>
      editLocation(answer, (location) => location.replace("?channel=beta", "")),
    ),
  },
  {
    name: "takes an unknown channel for stable at the selector",
    caughtBy: ["selector-channel-is-kept-when-beta"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace("channel=nightly", "")),
    ),
  },
  {
    name: "believes the User-Agent more than the asked platform",
    caughtBy: ["selector-platform-overrides-detection"],
    answer: changeRequest((exchange) =>
      exchange.header("user-agent") === null
        ? exchange
        : withTarget(exchange, exchange.target.replace(/platform=\w*/, "")),
    ),
  },
  {
    name: "takes the first of two asked platforms",
    caughtBy: ["selector-platform-overrides-detection"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace(/(platform=\w+)&platform=\w+/, "$1")),
    ),
  },
  {
    name: "puts the asked architecture into the path as it is",
    caughtBy: ["selector-architecture-is-one-segment"],
    answer: changeSelector((answer) =>
      editLocation(answer, (location) => location.replaceAll("%2F", "/")),
    ),
  },
  {
    name: "lets an architecture be a dot segment",
    caughtBy: ["selector-architecture-is-one-segment"],
    answer: changeSelector((answer, { target }) =>
      target.endsWith("arch=..")
        ? editLocation(answer, (location) => location.replace(/x64$/, ".."))
        : answer,
    ),
  },
  {
    name: "gives Android phones the Linux program",
    caughtBy: ["selector-recognises-what-a-browser-runs-on"],
    answer: mistake(/Linux; (?:U; )?Android/, "linux/x64"),
  },
  {
    name: "gives iPhones the Mac program",
    caughtBy: ["selector-sends-apple-mobiles-to-the-website"],
    answer: mistake(/iPhone/, "macos/universal"),
  },
  {
    name: "gives Chrome on an iPad that poses as a Mac the Mac program",
    caughtBy: ["selector-sends-apple-mobiles-to-the-website"],
    answer: mistake(/Macintosh.*CriOS/, "macos/universal"),
  },
  {
    name: "gives crawlers that pose as phones the Android program",
    caughtBy: ["selector-sends-robots-and-tools-to-the-website"],
    answer: mistake(/Android.*Googlebot/, "android/universal"),
  },
  {
    name: "gives Chromebooks the Linux program",
    caughtBy: ["selector-sends-other-devices-to-the-website"],
    answer: mistake(/CrOS/, "linux/x64"),
  },
  {
    name: "gives an unknown visitor the Windows program",
    caughtBy: ["selector-ignores-empty-and-endless-agents"],
    answer: mistake(/^$/, "windows/x64"),
  },
  {
    name: "lets caches keep the selector's choice",
    caughtBy: ["selector-answers-are-for-one-visitor"],
    answer: changeSelector((answer) => withHeader(answer, "Cache-Control", "public, max-age=60")),
  },
  {
    name: "does not say that the choice depends on the User-Agent",
    caughtBy: ["selector-answers-are-for-one-visitor"],
    answer: changeSelector((answer) => withoutHeader(answer, "Vary")),
  },
  {
    name: "answers the selector at every path of its origin",
    caughtBy: ["selector-serves-only-its-root"],
    answer: (exchange, { honest, origin }) =>
      honest(origin === "smartDownload" ? withTarget(exchange, "/") : exchange),
  },
  {
    name: "sends visitors of the selector to another host",
    caughtBy: ["redirects-lead-to-the-artifact", "selector-leads-to-the-download-route"],
    answer: (exchange, { honest, origin }) =>
      origin === "smartDownload" && exchange.target.includes("platform=")
        ? redirectResponse(302, "https://mirror.example.org/api/v1/download/linux/x64")
        : honest(exchange),
  },
];
