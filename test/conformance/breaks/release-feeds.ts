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

export const BREAKS_OF_FEEDS: readonly ReleaseBreak[] = [
  {
    name: "lets caches keep a feed for a day",
    caughtBy: ["feeds-are-kept-for-minutes"],
    respond: changeResponse(isOk(ELECTRON), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=86400"),
    ),
  },
  {
    name: "hides the appcast from other origins",
    caughtBy: ["feeds-are-kept-for-minutes"],
    respond: changeResponse(isOk(APPCAST), (response) =>
      withoutHeader(response, "Access-Control-Allow-Origin"),
    ),
  },
  {
    name: "sends a feed again although it has not changed",
    caughtBy: ["feeds-answer-304"],
    respond: changeResponse(
      ({ status }, request) => status === 304 && FEED.test(pathOf(request)),
      (response) => ({ ...withStatus(response, 200), body: "again" }),
    ),
  },
  {
    name: "calls every feed text",
    caughtBy: ["feeds-name-their-media-type"],
    respond: changeResponse(isOk(APPCAST), (response) =>
      withHeader(response, "Content-Type", "text/plain"),
    ),
  },
  {
    name: "lists the wrong sizes for electron-updater",
    caughtBy: ["electron-feed-lists-artifacts-with-digests"],
    respond: edit(ELECTRON, /size: \d+/g, "size: 1"),
  },
  {
    name: "writes SHA-512 digests in hexadecimal",
    caughtBy: ["electron-feed-lists-artifacts-with-digests"],
    respond: edit(ELECTRON, /sha512: "[^"]*"/g, `sha512: "${"ab".repeat(64)}"`),
  },
  {
    name: "leaves the path out that old updaters read",
    caughtBy: ["electron-feed-lists-artifacts-with-digests"],
    respond: edit(ELECTRON, /^path: .*\n/gm, ""),
  },
  {
    name: "offers electron-updater a draft",
    caughtBy: ["electron-feed-lists-artifacts-with-digests"],
    async respond(request, { real, fixtures }) {
      const draft = fixtures.drafts?.[0] ?? "";
      return isElectron(request)
        ? replace(await real(request), /^version: .*$/gm, `version: "${draft}"`)
        : real(request);
    },
  },
  {
    name: "keeps beta apps of electron-updater behind the stable ones",
    caughtBy: ["electron-beta-is-not-older-than-stable"],
    respond: edit(/\/beta[\w-]*\.yml$/, /^version: .*$/gm, 'version: "0.0.1"'),
  },
  {
    name: "names platforms of Tauri in the words of Node",
    caughtBy: ["tauri-feed-lists-signed-artifacts"],
    respond: edit(TAURI_FILE, /"darwin-aarch64"/g, '"darwin-arm64"'),
  },
  {
    name: "offers unsigned files to Tauri",
    caughtBy: ["tauri-feed-lists-signed-artifacts"],
    respond: changeResponse(isOk(TAURI_FILE), (response) =>
      editBody<TauriFeed>(response, ({ platforms }) => {
        for (const file of Object.values(platforms)) file.signature = "";
      }),
    ),
  },
  {
    name: "offers Tauri files that the release does not have",
    caughtBy: ["tauri-feed-lists-signed-artifacts"],
    respond: edit(TAURI_FILE, /downloads\.example\.com/g, "mirror.example.com"),
  },
  {
    name: "offers a Tauri app the version that it has",
    caughtBy: ["tauri-update-compares-versions"],
    respond: (request, context) =>
      TAURI_UPDATE.test(request.target)
        ? asInstalled(request, context, (version) => (version === "0.0.0-0" ? version : "0.0.0"))
        : context.real(request),
  },
  {
    name: "takes a pre-release for the release",
    caughtBy: ["tauri-update-compares-versions"],
    respond: (request, context) =>
      asInstalled(request, context, (version) => version.replace(/-alpha.*/, "")),
  },
  {
    name: "offers Tauri installers of another kind than is installed",
    caughtBy: ["tauri-update-is-of-the-installed-kind"],
    respond: (request, { real }) =>
      real(withTarget(request, request.target.replace(/\/(?:msi|deb|rpm|app)\//, "/unknown/"))),
  },
  {
    name: "offers nothing to a Tauri app that does not know what it was installed as",
    caughtBy: ["tauri-update-is-of-the-installed-kind"],
    respond: (request, { real }) =>
      real(withTarget(request, request.target.replace("/unknown/0.", "/unknown/9."))),
  },
  {
    name: "offers armv7 machines the files for x64",
    caughtBy: ["electron-linux-feeds-have-one-architecture"],
    respond: (request, { real }) =>
      real(withTarget(request, request.target.replace("-linux-arm.yml", "-linux.yml"))),
  },
  {
    name: "responds with no update when a Tauri app sends nonsense",
    caughtBy: ["tauri-update-refuses-malformed-requests"],
    respond: changeResponse(
      ({ status }, request) => status === 400 && TAURI_UPDATE.test(pathOf(request)),
      (response) => ({ ...withStatus(response, 204), body: null }),
    ),
  },
  {
    name: "has a code of its own for an unknown system",
    caughtBy: ["tauri-update-refuses-malformed-requests"],
    respond: changeResponse(
      (response, request) => hasStatus(400)(response) && isPath(/\/macos\//)(response, request),
      (response) => withCode(response, 404, "platform_not_supported"),
    ),
  },
  {
    name: "puts the version where Sparkle reads the build",
    caughtBy: ["appcast-items-are-signed-artifacts"],
    respond: edit(APPCAST, /<sparkle:version>\d+</g, "<sparkle:version>1.0.0<"),
  },
  {
    name: "leaves the signatures out of the appcast",
    caughtBy: ["appcast-items-are-signed-artifacts"],
    respond: edit(APPCAST, / sparkle:edSignature="[^"]*"/g, ""),
  },
  {
    name: "offers Sparkle a withdrawn release",
    caughtBy: ["appcast-items-are-signed-artifacts"],
    async respond(request, { real, fixtures }) {
      const response = await real(request);
      const withdrawn = fixtures.withdrawn?.[0] ?? "";
      const element = `<sparkle:shortVersionString>${withdrawn}<`;
      return isOk(APPCAST)(response, request)
        ? replace(response, /<sparkle:shortVersionString>[^<]*</g, element)
        : response;
    },
  },
  {
    name: "shows betas in the stable appcast",
    caughtBy: ["appcast-marks-beta-items"],
    respond: (request, { real }) =>
      real(withTarget(request, request.target.replace("/sparkle/stable/", "/sparkle/beta/"))),
  },
  {
    name: "does not say which items are betas",
    caughtBy: ["appcast-marks-beta-items"],
    respond: edit(APPCAST, /<sparkle:channel>beta<\/sparkle:channel>\n/g, ""),
  },
  {
    name: "offers Squirrel.Mac a disk image",
    caughtBy: ["squirrel-feed-names-an-archive"],
    respond: edit(SQUIRREL, /\.zip"/g, '.dmg"'),
  },
  {
    name: "leaves the share of a rollout out",
    caughtBy: ["electron-feed-carries-the-rollout"],
    respond: edit(ELECTRON, /^stagingPercentage: .*\n/gm, ""),
  },
  {
    name: "names another share than was signed",
    caughtBy: ["electron-feed-carries-the-rollout"],
    respond: edit(ELECTRON, /^stagingPercentage: .*$/gm, "stagingPercentage: 50"),
  },
  {
    name: "shows Sparkle a staged release without phases",
    caughtBy: ["appcast-carries-the-rollout"],
    respond: edit(APPCAST, /<sparkle:phasedRolloutInterval>.*\n/g, ""),
  },
  {
    name: "makes a staged release critical",
    caughtBy: ["appcast-carries-the-rollout"],
    respond: edit(APPCAST, /<sparkle:phasedRolloutInterval>/g, "<sparkle:criticalUpdate/>$&"),
  },
  {
    name: "calls every update of Sparkle critical before its deadline",
    caughtBy: ["appcast-is-critical-after-the-deadline"],
    respond: edit(APPCAST, /<item>/g, "$&<sparkle:criticalUpdate/>"),
  },
  {
    name: "never calls an update of Sparkle critical",
    caughtBy: ["appcast-is-critical-after-the-deadline"],
    respond: edit(APPCAST, /<sparkle:criticalUpdate\/>\n/g, ""),
  },
  {
    name: "lets caches keep an appcast for minutes although a deadline is near",
    caughtBy: ["appcast-is-not-kept-past-a-deadline"],
    respond: changeResponse(isOk(/^\/api\/v1\/releases\/\d+\.\d+\.\d+$/), (response) =>
      editBody<{ mandatoryAfter: string }>(response, (release) => {
        release.mandatoryAfter = new Date(Date.now() + 100_000).toISOString();
      }),
    ),
  },
  {
    name: "lets caches keep an appcast for an hour",
    caughtBy: ["feeds-are-kept-for-minutes"],
    respond: changeResponse(isOk(APPCAST), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=3600, s-maxage=3600"),
    ),
  },
  {
    name: "phases a release that is out for everybody",
    caughtBy: ["appcast-carries-the-rollout"],
    respond: edit(
      APPCAST,
      /<sparkle:shortVersionString>/g,
      "<sparkle:phasedRolloutInterval>86400</sparkle:phasedRolloutInterval>$&",
    ),
  },
  {
    name: "offers Tauri a staged release",
    caughtBy: ["feeds-without-stages-wait-for-everybody"],
    respond: edit(TAURI_FILE, /"version":"[^"]+"/g, `"version":"${STAGED}"`),
  },
  {
    name: "offers Squirrel.Mac a staged release",
    caughtBy: ["feeds-without-stages-wait-for-everybody"],
    respond: edit(SQUIRREL, /"currentRelease":"[^"]+"/g, `"currentRelease":"${STAGED}"`),
  },
  {
    name: "offers WinSparkle a staged release, which it knows no phases for",
    caughtBy: ["feeds-without-stages-wait-for-everybody"],
    respond: edit(APPCAST, /sparkle:os="macos"/g, 'sparkle:os="windows"'),
  },
  {
    name: "offers electron-updater a stopped release",
    caughtBy: ["stopped-releases-are-in-no-feed"],
    respond: edit(ELECTRON, /^version: .*$/gm, `version: "${STOPPED}"`),
  },
  {
    name: "leaves a stopped release in the appcast",
    caughtBy: ["stopped-releases-are-in-no-feed"],
    respond: edit(
      APPCAST,
      /<sparkle:shortVersionString>[^<]*</g,
      `<sparkle:shortVersionString>${STOPPED}<`,
    ),
  },
  {
    name: "offers Tauri and Squirrel.Mac a stopped release",
    caughtBy: ["feeds-without-stages-wait-for-everybody", "stopped-releases-are-in-no-feed"],
    respond: edit(/\.json$/, /"(version|currentRelease)":"[^"]+"/g, `"$1":"${STOPPED}"`),
  },
  {
    name: "keeps beta apps of Tauri behind the stable ones",
    caughtBy: ["beta-feeds-have-newer-stable-releases"],
    respond: edit(/\/tauri\/beta\.json$/, /"version":"[^"]+"/g, '"version":"0.0.1"'),
  },
  {
    name: "keeps beta apps of Squirrel.Mac behind the stable ones",
    caughtBy: ["beta-feeds-have-newer-stable-releases"],
    respond: edit(/\/squirrel\/beta\//, /"currentRelease":"[^"]+"/g, '"currentRelease":"0.0.1"'),
  },
  {
    name: "leaves stable releases out of the beta appcast",
    caughtBy: ["beta-feeds-have-newer-stable-releases"],
    respond: edit(
      /\/sparkle\/beta\/appcast\.xml$/,
      /<item>(?:(?!<\/item>|<sparkle:channel>)[^])*<\/item>\n/g,
      "",
    ),
  },
];

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
