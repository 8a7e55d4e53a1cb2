import {
  changeResponse,
  editBody,
  hasStatus,
  isOk,
  isPath,
  pathOf,
  withBody,
  withCode,
  withHeader,
  withoutHeader,
  withStatus,
  withTarget,
  type BreakContext,
  type ReleaseBreak,
  toBreaks,
} from "./break.ts";
import { STAGED, STOPPED } from "../release-catalog.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";

const FEED = /^\/feeds\//;
export const ELECTRON = /^\/feeds\/electron\//;
export const APPCAST = /\/appcast\.xml$/;
export const TAURI_FILE = /^\/feeds\/tauri\/\w+\.json$/;
const TAURI_UPDATE = /^\/feeds\/tauri\/\w+\/\w+\//;
const SQUIRREL = /\/RELEASES\.json$/;

/** Replaces text in a body; a response to HEAD has none. */
function replace(response: HttpResponse, pattern: RegExp, text: string): HttpResponse {
  const { body } = response;
  return typeof body === "string" ? withBody(response, body.replaceAll(pattern, text)) : response;
}

export const edit = (path: RegExp, pattern: RegExp, text: string) =>
  changeResponse(isOk(path), (response) => replace(response, pattern, text));

interface TauriFeed {
  platforms: Record<string, { url: string; signature: string }>;
}

export const BREAKS_OF_FEEDS = toBreaks<ReleaseBreak>({
  "feeds-are-kept-for-minutes": {
    "lets caches keep a feed for a day": changeResponse(isOk(ELECTRON), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=86400"),
    ),
    "hides the appcast from other origins": changeResponse(isOk(APPCAST), (response) =>
      withoutHeader(response, "Access-Control-Allow-Origin"),
    ),
    "lets caches keep an appcast for an hour": changeResponse(isOk(APPCAST), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=3600, s-maxage=3600"),
    ),
  },
  "feeds-answer-304": {
    "sends a feed again although it has not changed": changeResponse(
      ({ status }, request) => status === 304 && FEED.test(pathOf(request)),
      (response) => ({ ...withStatus(response, 200), body: "again" }),
    ),
  },
  "feeds-name-their-media-type": {
    "calls every feed text": changeResponse(isOk(APPCAST), (response) =>
      withHeader(response, "Content-Type", "text/plain"),
    ),
  },
  "electron-feed-lists-artifacts-with-digests": {
    "lists the wrong sizes for electron-updater": edit(ELECTRON, /size: \d+/g, "size: 1"),
    "writes SHA-512 digests in hexadecimal": edit(
      ELECTRON,
      /sha512: "[^"]*"/g,
      `sha512: "${"ab".repeat(64)}"`,
    ),
    "leaves the path out that old updaters read": edit(ELECTRON, /^path: .*\n/gm, ""),
    "offers electron-updater a draft": async (request, { real, fixtures }) => {
      const draft = fixtures.drafts?.[0] ?? "";
      return isElectron(request)
        ? replace(await real(request), /^version: .*$/gm, `version: "${draft}"`)
        : real(request);
    },
  },
  "electron-beta-is-not-older-than-stable": {
    "keeps beta apps of electron-updater behind the stable ones": edit(
      /\/beta[\w-]*\.yml$/,
      /^version: .*$/gm,
      'version: "0.0.1"',
    ),
  },
  "tauri-feed-lists-signed-artifacts": {
    "names platforms of Tauri in the words of Node": edit(
      TAURI_FILE,
      /"darwin-aarch64"/g,
      '"darwin-arm64"',
    ),
    "offers unsigned files to Tauri": changeResponse(isOk(TAURI_FILE), (response) =>
      editBody<TauriFeed>(response, ({ platforms }) => {
        for (const file of Object.values(platforms)) file.signature = "";
      }),
    ),
    "offers Tauri files that the release does not have": edit(
      TAURI_FILE,
      /downloads\.example\.com/g,
      "mirror.example.com",
    ),
  },
  "tauri-update-compares-versions": {
    "offers a Tauri app the version that it has": (request, context) =>
      TAURI_UPDATE.test(request.target)
        ? asInstalled(request, context, (version) => (version === "0.0.0-0" ? version : "0.0.0"))
        : context.real(request),
    "takes a pre-release for the release": (request, context) =>
      asInstalled(request, context, (version) => version.replace(/-alpha.*/, "")),
  },
  "tauri-update-is-of-the-installed-kind": {
    "offers Tauri installers of another kind than is installed": (request, { real }) =>
      real(withTarget(request, request.target.replace(/\/(?:msi|deb|rpm|app)\//, "/unknown/"))),
    "offers nothing to a Tauri app that does not know what it was installed as": (
      request,
      { real },
    ) => real(withTarget(request, request.target.replace("/unknown/0.", "/unknown/9."))),
  },
  "electron-linux-feeds-have-one-architecture": {
    "offers armv7 machines the files for x64": (request, { real }) =>
      real(withTarget(request, request.target.replace("-linux-arm.yml", "-linux.yml"))),
  },
  "tauri-update-refuses-malformed-requests": {
    "responds with no update when a Tauri app sends nonsense": changeResponse(
      ({ status }, request) => status === 400 && TAURI_UPDATE.test(pathOf(request)),
      (response) => ({ ...withStatus(response, 204), body: null }),
    ),
    "has a code of its own for an unknown system": changeResponse(
      (response, request) => hasStatus(400)(response) && isPath(/\/macos\//)(response, request),
      (response) => withCode(response, 404, "platform_not_supported"),
    ),
  },
  "appcast-items-are-signed-artifacts": {
    "puts the version where Sparkle reads the build": edit(
      APPCAST,
      /<sparkle:version>\d+</g,
      "<sparkle:version>1.0.0<",
    ),
    "leaves the signatures out of the appcast": edit(APPCAST, / sparkle:edSignature="[^"]*"/g, ""),
    "offers Sparkle a withdrawn release": async (request, { real, fixtures }) => {
      const response = await real(request);
      const withdrawn = fixtures.withdrawn?.[0] ?? "";
      const element = `<sparkle:shortVersionString>${withdrawn}<`;
      return isOk(APPCAST)(response, request)
        ? replace(response, /<sparkle:shortVersionString>[^<]*</g, element)
        : response;
    },
  },
  "appcast-marks-beta-items": {
    "shows betas in the stable appcast": (request, { real }) =>
      real(withTarget(request, request.target.replace("/sparkle/stable/", "/sparkle/beta/"))),
    "does not say which items are betas": edit(
      APPCAST,
      /<sparkle:channel>beta<\/sparkle:channel>\n/g,
      "",
    ),
  },
  "squirrel-feed-names-an-archive": {
    "offers Squirrel.Mac a disk image": edit(SQUIRREL, /\.zip"/g, '.dmg"'),
  },
  "electron-feed-carries-the-rollout": {
    "leaves the share of a rollout out": edit(ELECTRON, /^stagingPercentage: .*\n/gm, ""),
    "names another share than was signed": edit(
      ELECTRON,
      /^stagingPercentage: .*$/gm,
      "stagingPercentage: 50",
    ),
  },
  "appcast-carries-the-rollout": {
    "shows Sparkle a staged release without phases": edit(
      APPCAST,
      /<sparkle:phasedRolloutInterval>.*\n/g,
      "",
    ),
    "makes a staged release critical": edit(
      APPCAST,
      /<sparkle:phasedRolloutInterval>/g,
      "<sparkle:criticalUpdate/>$&",
    ),
    "phases a release that is out for everybody": edit(
      APPCAST,
      /<sparkle:shortVersionString>/g,
      "<sparkle:phasedRolloutInterval>86400</sparkle:phasedRolloutInterval>$&",
    ),
  },
  "appcast-is-critical-after-the-deadline": {
    "calls every update of Sparkle critical before its deadline": edit(
      APPCAST,
      /<item>/g,
      "$&<sparkle:criticalUpdate/>",
    ),
    "never calls an update of Sparkle critical": edit(APPCAST, /<sparkle:criticalUpdate\/>\n/g, ""),
  },
  "appcast-is-not-kept-past-a-deadline": {
    "lets caches keep an appcast for minutes although a deadline is near": changeResponse(
      isOk(/^\/api\/v1\/releases\/\d+\.\d+\.\d+$/),
      (response) =>
        editBody<{ mandatoryAfter: string }>(response, (release) => {
          release.mandatoryAfter = new Date(Date.now() + 100_000).toISOString();
        }),
    ),
  },
  "feeds-without-stages-wait-for-everybody": {
    "offers Tauri a staged release": edit(
      TAURI_FILE,
      /"version":"[^"]+"/g,
      `"version":"${STAGED}"`,
    ),
    "offers Squirrel.Mac a staged release": edit(
      SQUIRREL,
      /"currentRelease":"[^"]+"/g,
      `"currentRelease":"${STAGED}"`,
    ),
    "offers WinSparkle a staged release, which it knows no phases for": edit(
      APPCAST,
      /sparkle:os="macos"/g,
      'sparkle:os="windows"',
    ),
  },
  "stopped-releases-are-in-no-feed": {
    "offers electron-updater a stopped release": edit(
      ELECTRON,
      /^version: .*$/gm,
      `version: "${STOPPED}"`,
    ),
    "leaves a stopped release in the appcast": edit(
      APPCAST,
      /<sparkle:shortVersionString>[^<]*</g,
      `<sparkle:shortVersionString>${STOPPED}<`,
    ),
  },
  "feeds-without-stages-wait-for-everybody, stopped-releases-are-in-no-feed": {
    "offers Tauri and Squirrel.Mac a stopped release": edit(
      /\.json$/,
      /"(version|currentRelease)":"[^"]+"/g,
      `"$1":"${STOPPED}"`,
    ),
  },
  "beta-feeds-have-newer-stable-releases": {
    "keeps beta apps of Tauri behind the stable ones": edit(
      /\/tauri\/beta\.json$/,
      /"version":"[^"]+"/g,
      '"version":"0.0.1"',
    ),
    "keeps beta apps of Squirrel.Mac behind the stable ones": edit(
      /\/squirrel\/beta\//,
      /"currentRelease":"[^"]+"/g,
      '"currentRelease":"0.0.1"',
    ),
    "leaves stable releases out of the beta appcast": edit(
      /\/sparkle\/beta\/appcast\.xml$/,
      /<item>(?:(?!<\/item>|<sparkle:channel>)[^])*<\/item>\n/g,
      "",
    ),
  },
});

function isElectron(request: RawRequest): boolean {
  return ELECTRON.test(pathOf(request));
}

/** Asks the real service as if another version were installed. */
function asInstalled(
  request: RawRequest,
  { real }: BreakContext,
  change: (version: string) => string,
): Promise<HttpResponse> {
  const { target } = request;
  if (!TAURI_UPDATE.test(target)) return real(request);
  const cut = target.lastIndexOf("/") + 1;
  return real(withTarget(request, target.slice(0, cut) + change(target.slice(cut))));
}
