import { redirectResponse, type HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";
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

const isDownload = (response: HttpResponse, request: RawRequest) =>
  response.status === 302 && pathOf(request).startsWith("/api/v1/download/");

const editLocation = (response: HttpResponse, edit: (location: string) => string) =>
  withHeader(response, "Location", edit(response.headers["Location"] ?? ""));

/** Changes the redirects of the selector. */
const changeSelector =
  (change: (response: HttpResponse, request: RawRequest) => HttpResponse) =>
  async (request: RawRequest, { real, origin }: BreakContext) => {
    const response = await real(request);
    return origin === "smartDownload" && response.status === 302
      ? change(response, request)
      : response;
  };

/** A selector that takes certain agents for a platform. */
const mistake = (agent: RegExp, platform: string) =>
  changeSelector((response, { header, target }) =>
    target === "/" && agent.test(header("user-agent") ?? "")
      ? withHeader(response, "Location", `https://releases.example.org/api/v1/download/${platform}`)
      : response,
  );

export const BREAKS_OF_DOWNLOADS: readonly ReleaseBreak[] = [
  {
    name: "takes x64 for the default everywhere",
    caughtBy: ["download-uses-the-default-architecture"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace(/(\/download\/macos)(?=\?|$)/, "$1/x64")),
    ),
  },
  {
    name: "redirects to a relative address",
    caughtBy: ["download-leads-to-every-artifact", "download-uses-the-default-architecture"],
    respond: changeResponse(isDownload, (response) =>
      editLocation(response, (location) => new URL(location).pathname),
    ),
  },
  {
    name: "redirects to artifacts for good",
    caughtBy: ["download-leads-to-every-artifact"],
    respond: changeResponse(isDownload, (response) => withStatus(response, 301)),
  },
  {
    name: "prefers the store bundle",
    caughtBy: ["download-is-the-direct-artifact"],
    respond: changeResponse(isDownload, (response) =>
      editLocation(response, (location) => location.replace(/apk$/, "aab")),
    ),
  },
  {
    name: "takes an unknown platform for a missing artifact",
    caughtBy: ["download-refuses-unknown-platforms"],
    respond: changeResponse(
      ({ status }, { target }) => status === 404 && /\/download\/(?:ios|web)/.test(target),
      (response) => withCode(response, 404, "artifact_not_found"),
    ),
  },
  {
    name: "reads architectures in any case",
    caughtBy: ["download-refuses-unknown-architectures"],
    respond: changeRequest((request) => withTarget(request, request.target.toLowerCase())),
  },
  {
    name: "falls back to the default when it has no such architecture",
    caughtBy: ["download-refuses-unknown-architectures"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace("/no-such-architecture", "")),
    ),
  },
  {
    name: "looks at the channel before the platform",
    caughtBy: ["download-checks-in-order"],
    respond: changeResponse(
      ({ status }, request) => status === 404 && queryOf(request) === "channel=nightly",
      (response) => withCode(response, 400, "invalid_channel"),
    ),
  },
  {
    name: "forbids caches to keep the redirects to artifacts",
    caughtBy: ["download-redirects-are-kept-for-minutes"],
    respond: changeResponse(isDownload, (response) =>
      withHeader(response, "Cache-Control", "no-store"),
    ),
  },
  {
    name: "sends 301 at the legacy entry",
    caughtBy: ["legacy-entry-redirects-permanently"],
    respond: changeResponse(
      ({ status }) => status === 308,
      (response) => withStatus(response, 301),
    ),
  },
  {
    name: "sends the legacy entry to the API instead of the selector",
    caughtBy: ["legacy-entry-redirects-permanently"],
    respond: changeResponse(
      ({ status }) => status === 308,
      (response) =>
        editLocation(response, (location) => location.replace("download.", "releases.")),
    ),
  },
  {
    name: "drops the query at the legacy entry",
    caughtBy: ["legacy-entry-keeps-the-query", "redirects-lead-to-the-artifact"],
    respond: changeResponse(
      ({ status }) => status === 308,
      (response) => editLocation(response, (location) => location.split("?")[0] ?? ""),
    ),
  },
  {
    name: "drops an empty query at the legacy entry",
    caughtBy: ["legacy-entry-keeps-the-query"],
    respond: changeResponse(
      ({ status }) => status === 308,
      (response) => editLocation(response, (location) => location.replace(/\?$/, "")),
    ),
  },
  {
    name: "writes the query anew at the legacy entry",
    caughtBy: ["legacy-entry-keeps-the-query"],
    respond: changeResponse(
      ({ status }) => status === 308,
      (response) =>
        editLocation(response, (location) => {
          const url = new URL(location);
          url.search = new URLSearchParams(url.search).toString();
          return url.href;
        }),
    ),
  },
  {
    name: "names the stable channel in the selector's redirect",
    caughtBy: ["selector-leads-to-the-download-route", "selector-channel-is-kept-when-beta"],
    respond: changeSelector((response) =>
      editLocation(response, (location) =>
        location.includes("channel") ? location : `${location}?channel=stable`,
      ),
    ),
  },
  {
    name: "forgets the beta channel at the selector",
    caughtBy: ["selector-channel-is-kept-when-beta"],
    respond: changeSelector((response) =>
      editLocation(response, (location) => location.replace("?channel=beta", "")),
    ),
  },
  {
    name: "takes an unknown channel for stable at the selector",
    caughtBy: ["selector-channel-is-kept-when-beta"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace("channel=nightly", "")),
    ),
  },
  {
    name: "believes the User-Agent more than the asked platform",
    caughtBy: ["selector-platform-overrides-detection"],
    respond: changeRequest((request) =>
      request.header("user-agent") === null
        ? request
        : withTarget(request, request.target.replace(/platform=\w*/, "")),
    ),
  },
  {
    name: "takes the first of two asked platforms",
    caughtBy: ["selector-platform-overrides-detection"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace(/(platform=\w+)&platform=\w+/, "$1")),
    ),
  },
  {
    name: "puts the asked architecture into the path as it is",
    caughtBy: ["selector-architecture-is-one-segment"],
    respond: changeSelector((response) =>
      editLocation(response, (location) => location.replaceAll("%2F", "/")),
    ),
  },
  {
    name: "lets an architecture be a dot segment",
    caughtBy: ["selector-architecture-is-one-segment"],
    respond: changeSelector((response, { target }) =>
      target.endsWith("arch=..")
        ? editLocation(response, (location) => location.replace(/x64$/, ".."))
        : response,
    ),
  },
  {
    name: "gives Android phones the Linux program",
    caughtBy: ["selector-recognises-what-a-browser-runs-on"],
    respond: mistake(/Linux; (?:U; )?Android/, "linux/x64"),
  },
  {
    name: "gives iPhones the Mac program",
    caughtBy: ["selector-sends-apple-mobiles-to-the-website"],
    respond: mistake(/iPhone/, "macos/universal"),
  },
  {
    name: "gives Chrome on an iPad that poses as a Mac the Mac program",
    caughtBy: ["selector-sends-apple-mobiles-to-the-website"],
    respond: mistake(/Macintosh.*CriOS/, "macos/universal"),
  },
  {
    name: "gives crawlers that pose as phones the Android program",
    caughtBy: ["selector-sends-robots-and-tools-to-the-website"],
    respond: mistake(/Android.*Googlebot/, "android/universal"),
  },
  {
    name: "gives Chromebooks the Linux program",
    caughtBy: ["selector-sends-other-devices-to-the-website"],
    respond: mistake(/CrOS/, "linux/x64"),
  },
  {
    name: "gives an unknown visitor the Windows program",
    caughtBy: ["selector-ignores-empty-and-endless-agents"],
    respond: mistake(/^$/, "windows/x64"),
  },
  {
    name: "lets caches keep the selector's choice",
    caughtBy: ["selector-answers-are-for-one-visitor"],
    respond: changeSelector((response) =>
      withHeader(response, "Cache-Control", "public, max-age=60"),
    ),
  },
  {
    name: "does not say that the choice depends on the User-Agent",
    caughtBy: ["selector-answers-are-for-one-visitor"],
    respond: changeSelector((response) => withoutHeader(response, "Vary")),
  },
  {
    name: "serves the selector at every path of its origin",
    caughtBy: ["selector-serves-only-its-root"],
    respond: (request, { real, origin }) =>
      real(origin === "smartDownload" ? withTarget(request, "/") : request),
  },
  {
    name: "sends visitors of the selector to another host",
    caughtBy: ["redirects-lead-to-the-artifact", "selector-leads-to-the-download-route"],
    respond: (request, { real, origin }) =>
      origin === "smartDownload" && request.target.includes("platform=")
        ? redirectResponse(302, "https://mirror.example.org/api/v1/download/linux/x64")
        : real(request),
  },
];
