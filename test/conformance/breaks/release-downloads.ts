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
  toBreaks,
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

export const BREAKS_OF_DOWNLOADS = toBreaks<ReleaseBreak>({
  "download-uses-the-default-architecture": {
    "takes x64 for the default everywhere": changeRequest((request) =>
      withTarget(request, request.target.replace(/(\/download\/macos)(?=\?|$)/, "$1/x64")),
    ),
  },
  "download-leads-to-every-artifact, download-uses-the-default-architecture": {
    "redirects to a relative address": changeResponse(isDownload, (response) =>
      editLocation(response, (location) => new URL(location).pathname),
    ),
  },
  "download-leads-to-every-artifact": {
    "redirects to artifacts for good": changeResponse(isDownload, (response) =>
      withStatus(response, 301),
    ),
  },
  "download-is-the-direct-artifact": {
    "prefers the store bundle": changeResponse(isDownload, (response) =>
      editLocation(response, (location) => location.replace(/apk$/, "aab")),
    ),
  },
  "download-refuses-unknown-platforms": {
    "takes an unknown platform for a missing artifact": changeResponse(
      ({ status }, { target }) => status === 404 && /\/download\/(?:ios|web)/.test(target),
      (response) => withCode(response, 404, "artifact_not_found"),
    ),
  },
  "download-refuses-unknown-architectures": {
    "reads architectures in any case": changeRequest((request) =>
      withTarget(request, request.target.toLowerCase()),
    ),
    "falls back to the default when it has no such architecture": changeRequest((request) =>
      withTarget(request, request.target.replace("/no-such-architecture", "")),
    ),
  },
  "download-checks-in-order": {
    "looks at the channel before the platform": changeResponse(
      ({ status }, request) => status === 404 && queryOf(request) === "channel=nightly",
      (response) => withCode(response, 400, "invalid_channel"),
    ),
  },
  "download-redirects-are-kept-for-minutes": {
    "forbids caches to keep the redirects to artifacts": changeResponse(isDownload, (response) =>
      withHeader(response, "Cache-Control", "no-store"),
    ),
  },
  "legacy-entry-redirects-permanently": {
    "sends 301 at the legacy entry": changeResponse(
      ({ status }) => status === 308,
      (response) => withStatus(response, 301),
    ),
    "sends the legacy entry to the API instead of the selector": changeResponse(
      ({ status }) => status === 308,
      (response) =>
        editLocation(response, (location) => location.replace("download.", "releases.")),
    ),
  },
  "legacy-entry-keeps-the-query, redirects-lead-to-the-artifact": {
    "drops the query at the legacy entry": changeResponse(
      ({ status }) => status === 308,
      (response) => editLocation(response, (location) => location.split("?")[0] ?? ""),
    ),
  },
  "legacy-entry-keeps-the-query": {
    "drops an empty query at the legacy entry": changeResponse(
      ({ status }) => status === 308,
      (response) => editLocation(response, (location) => location.replace(/\?$/, "")),
    ),
    "writes the query anew at the legacy entry": changeResponse(
      ({ status }) => status === 308,
      (response) =>
        editLocation(response, (location) => {
          const url = new URL(location);
          url.search = new URLSearchParams(url.search).toString();
          return url.href;
        }),
    ),
  },
  "selector-leads-to-the-download-route, selector-channel-is-kept-when-beta": {
    "names the stable channel in the selector's redirect": changeSelector((response) =>
      editLocation(response, (location) =>
        location.includes("channel") ? location : `${location}?channel=stable`,
      ),
    ),
  },
  "selector-channel-is-kept-when-beta": {
    "forgets the beta channel at the selector": changeSelector((response) =>
      editLocation(response, (location) => location.replace("?channel=beta", "")),
    ),
    "takes an unknown channel for stable at the selector": changeRequest((request) =>
      withTarget(request, request.target.replace("channel=nightly", "")),
    ),
  },
  "selector-platform-overrides-detection": {
    "believes the User-Agent more than the asked platform": changeRequest((request) =>
      request.header("user-agent") === null
        ? request
        : withTarget(request, request.target.replace(/platform=\w*/, "")),
    ),
    "takes the first of two asked platforms": changeRequest((request) =>
      withTarget(request, request.target.replace(/(platform=\w+)&platform=\w+/, "$1")),
    ),
  },
  "selector-architecture-is-one-segment": {
    "puts the asked architecture into the path as it is": changeSelector((response) =>
      editLocation(response, (location) => location.replaceAll("%2F", "/")),
    ),
    "lets an architecture be a dot segment": changeSelector((response, { target }) =>
      target.endsWith("arch=..")
        ? editLocation(response, (location) => location.replace(/x64$/, ".."))
        : response,
    ),
  },
  "selector-recognises-what-a-browser-runs-on": {
    "gives Android phones the Linux program": mistake(/Linux; (?:U; )?Android/, "linux/x64"),
  },
  "selector-sends-apple-mobiles-to-the-website": {
    "gives iPhones the Mac program": mistake(/iPhone/, "macos/universal"),
    "gives Chrome on an iPad that poses as a Mac the Mac program": mistake(
      /Macintosh.*CriOS/,
      "macos/universal",
    ),
  },
  "selector-sends-robots-and-tools-to-the-website": {
    "gives crawlers that pose as phones the Android program": mistake(
      /Android.*Googlebot/,
      "android/universal",
    ),
  },
  "selector-sends-other-devices-to-the-website": {
    "gives Chromebooks the Linux program": mistake(/CrOS/, "linux/x64"),
  },
  "selector-ignores-empty-and-endless-agents": {
    "gives an unknown visitor the Windows program": mistake(/^$/, "windows/x64"),
  },
  "selector-answers-are-for-one-visitor": {
    "lets caches keep the selector's choice": changeSelector((response) =>
      withHeader(response, "Cache-Control", "public, max-age=60"),
    ),
    "does not say that the choice depends on the User-Agent": changeSelector((response) =>
      withoutHeader(response, "Vary"),
    ),
  },
  "selector-serves-only-its-root": {
    "serves the selector at every path of its origin": (request, { real, origin }) =>
      real(origin === "smartDownload" ? withTarget(request, "/") : request),
  },
  "redirects-lead-to-the-artifact, selector-leads-to-the-download-route": {
    "sends visitors of the selector to another host": (request, { real, origin }) =>
      origin === "smartDownload" && request.target.includes("platform=")
        ? redirectResponse(302, "https://mirror.example.org/api/v1/download/linux/x64")
        : real(request),
  },
});
