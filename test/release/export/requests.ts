/** The requests that the static tree and the live service must respond to alike. */
import type { RequestSample } from "./send-request.ts";

const API = "/api/v1";
const LATEST = `${API}/releases/latest`;

/** `etag` is the validator of the manifest. */
export function apiRequests(etag: string): RequestSample[] {
  const targets = [
    "/health",
    "/download",
    "/download?",
    "/download?platform=linux&arch=x64&channel=beta&x=%20a+b",
    `${API}/manifest`,
    `${API}/manifest?cache=1`,
    LATEST,
    ...[`${API}/releases`, LATEST, `${API}/download/linux`].flatMap(channelTargets),
    ...pageTargets(),
    `${API}/releases/1.2.3`,
    `${API}/releases/1.2.3?channel=nonsense`,
    `${API}/releases/1.2.4`,
    `${API}/releases/1.2.3/downloads`,
    `${API}/releases/%31.2.3`,
    `${API}/releases/1%2E2%2e3`,
    `${API}/releases/1.2.3%2Fdownloads`,
    `${API}/releases/%C3%A9`,
    `${API}/releases/%C3`,
    `${API}/releases/%zz`,
    `${API}/releases/9.9.9`,
    `${API}/releases/9.9.9/downloads`,
    `${API}/releases/v1.2.3`,
    `${API}/releases/01.2.3`,
    `${API}/releases/latest/downloads`,
    `${API}/releases/1.2.3/downloads/extra`,
    `${API}/releases/1.2.3/artifacts`,
    `${API}/download`,
    ...["android", "windows", "linux", "macos", "ios", "Linux", "%6Cinux", "li%2Fnux"].flatMap(
      (name) => [
        `${API}/download/${name}`,
        `${API}/download/${name}/x64`,
        `${API}/download/${name}/universal`,
        `${API}/download/${name}/universal?channel=beta`,
        `${API}/download/${name}?channel=nonsense`,
      ],
    ),
    `${API}/download/linux/X64`,
    `${API}/download/linux/x%2F64`,
    `${API}/download/linux/x64/more`,
    ...strangePaths(),
  ];
  return [
    ...targets.map((target) => ({ target })),
    ...[
      "/health",
      `${API}/manifest`,
      LATEST,
      `${API}/releases`,
      `${API}/releases/9.9.9`,
      `${API}/download/linux`,
      "/download",
    ].flatMap((target) =>
      ["HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "PURGE", "TRACE"].map((method) => ({
        target,
        method,
      })),
    ),
    { target: "/nothing", method: "OPTIONS" },
    { target: "/nothing", method: "HEAD" },
    ...conditions(etag).map((condition) => ({
      target: `${API}/manifest`,
      headers: { "If-None-Match": condition },
    })),
    { target: `${API}/manifest`, method: "HEAD", headers: { "If-None-Match": etag } },
    ...[
      `${API}/releases`,
      LATEST,
      `${API}/releases/1.2.3`,
      `${API}/releases/1.2.3/downloads`,
      `${API}/releases/9.9.9`,

      "/nothing",
    ].map((target) => ({ target, headers: { "If-None-Match": "*" } })),
    {
      target: `${API}/manifest`,
      headers: { "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" },
    },
    { target: `${API}/manifest`, headers: { Range: "bytes=0-9" } },
  ];
}

const ENCODINGS = [
  "gzip, deflate, br",
  "gzip",
  "GZIP;Q=0.5",
  "br",
  "br;q=0, gzip;q=0.001",
  "gzip;q=0.9, br;q=0.8",
  "gzip;q=0.80, br;q=0.8",
  "gzip;q=0.79,br;q=0.8",
  "gzip;q=0.1, br;q=0.09",
  "gzip;q=1.000, br;q=0.999",
  "gzip;q=0.5, identity;q=0.6",
  "gzip;q=0.6 , identity;q=0.5",
  "gzip;q=0.5, identity",
  "br ; q=0.1,\tidentity;q=0.1",
  "br;q=0.2, gzip;q=0.1, identity;q=0.3",
  "br;q=0.2, gzip;q=0.4, identity;q=0.3",
  "*",
  "*;q=0",
  "*;q=0.5, gzip;q=0.6",
  "*;q=0.5, gzip;q=0.4",
  "br;q=0, *;q=0.1",
  "gzip, *;q=0",
  "identity;q=0",
  "identity;q=0, gzip",
  "identity",
  "deflate, zstd",
  "xgzip, brx",
  "",
];

/** `etags` are the validators of the manifest's forms. */
export function encodingRequests(etags: readonly string[]): RequestSample[] {
  const targets = [
    `${API}/manifest`,
    `${API}/releases`,
    `${API}/releases?limit=1`,
    LATEST,
    `${API}/releases/1.2.3`,
    `${API}/releases/1.2.3/downloads`,
    `${API}/releases/9.9.9`,
    "/health",
    "/nothing",
    ...FEEDS,
  ];
  const conditions = [...etags, `W/${etags[1]}`, etags.toReversed().join(", "), '"x"', "*"];
  return [
    ...ENCODINGS.map((encoding) => ({
      target: `${API}/manifest`,
      headers: { "Accept-Encoding": encoding },
    })),
    ...targets.flatMap((target) =>
      ["br", "gzip"].flatMap((encoding) =>
        ["GET", "HEAD"].map((method) => ({
          target,
          method,
          headers: { "Accept-Encoding": encoding },
        })),
      ),
    ),
    ...["identity", "br", "gzip"].flatMap((encoding) =>
      conditions.map((condition) => ({
        target: `${API}/manifest`,
        headers: { "Accept-Encoding": encoding, "If-None-Match": condition },
      })),
    ),
    { target: `${API}/manifest`, headers: { "Accept-Encoding": "br", Range: "bytes=0-9" } },
  ];
}

const FEEDS = [
  ...["latest", "beta"].flatMap((channel) =>
    ["", "-mac", "-linux", "-linux-arm64", "-linux-arm", "-linux-ia32"].map(
      (end) => `/feeds/electron/${channel}${end}.yml`,
    ),
  ),
  ...["stable", "beta"].flatMap((channel) => [
    `/feeds/tauri/${channel}.json`,
    `/feeds/sparkle/${channel}/appcast.xml`,
    `/feeds/squirrel/${channel}/darwin/x64/RELEASES.json`,
    `/feeds/squirrel/${channel}/darwin/arm64/RELEASES.json`,
  ]),
  "/feeds/files/1.2.5",
];

/** Versions around those that a catalogue of 25 releases offers: 1.2.5 and 1.2.4. */
const INSTALLED_VERSIONS = [
  "0.0.0",
  "0.99.99",
  "1.0.0",
  "1.1.999",
  "1.2.3",
  "1.2.4",
  "1.2.4-beta.1",
  "1.2.5-0",
  "1.2.5-rc.1%2B7",
  "1.2.5",
  "1.2.5%2B7",
  "1.2.6-alpha",
  "1.2.10",
  "1.3.0-alpha.11",
  "1.3.0-beta",
  "1.3.0-beta.9",
  "1.3.0-beta.9.1%2B7",
  "1.3.0-beta.10",
  "1.3.0-beta.10%2B7",
  "1.3.0-beta.10.0",
  "1.3.0-beta-1",
  "1.3.0",
  "1.10.0",
  "2.0.0-alpha",
  "10.0.0",
  "99999999999999999999.0.0",
  "0.99999999999999999999.0",
  "%31.2.3",
  "1.2",
  "1.2.3.4",
  "v1.2.3",
  "01.2.3",
  "1.2.3-",
  "1.2.3-01",
  "1.2.3-0a",
  "1.2.3+",
  "1.2.3%0A",
  "1.2.3%2F4",
  "index.json",
  "latest",
];

export function feedRequests(): RequestSample[] {
  const machines = [
    "stable/windows/x86_64",
    "stable/windows/aarch64",
    "stable/windows/i686",
    "stable/darwin/aarch64",
    "beta/linux/x86_64",
    "beta/linux/armv7",
    "nightly/windows/x86_64",
    "Stable/windows/x86_64",
    "stable/macos/x86_64",
    "stable/Windows/x86_64",
    "stable/windows/x64",
    "stable/windows/x86_64/msi",
    "stable/windows/x86_64/unknown",
    "stable/windows/aarch64/msi",
    "stable/windows/x86_64/deb",
    "stable/windows/x86_64/exe",
    "stable/windows/x86_64/MSI",
    "beta/linux/aarch64/appimage",
  ];
  const targets = [
    ...FEEDS,
    ...machines.flatMap((machine) =>
      INSTALLED_VERSIONS.map((version) => `/feeds/tauri/${machine}/${version}`),
    ),
    "/feeds",
    "/feeds/",
    "/feeds/electron",
    "/feeds/electron/stable.yml",
    "/feeds/electron/Latest.yml",
    "/feeds/electron/latestXyml",
    "/feeds/electron/latest%2Eyml",
    "/feeds/electron/latest.yml?noCache=1abc",
    "/feeds/electron/latest.yml/",
    "/feeds/electron/latest.yml.etag",
    "/feeds/electron/x%2Flatest.yml",
    "/feeds/tauri/latest.json",
    "/feeds/tauri/stableXjson",
    "/feeds/tauri/stable.json/extra",
    "/feeds/tauri/stable/windows/x86_64",
    "/feeds/sparkle/nightly/appcast.xml",
    "/feeds/sparkle/stable/appcast.XML",
    "/feeds/sparkle/stable/appcastXxml",
    "/feeds/sparkle/stable",
    "/feeds/squirrel/nightly/darwin/x64/RELEASES.json",
    "/feeds/squirrel/stable/darwin/ia32/RELEASES.json",
    "/feeds/squirrel/stable/win32/x64/RELEASES",
    "/feeds/files/9.9.9",
    "/feeds/files/1.2",
    "/feeds/files/%31.2.5",
    "/feeds/files/1.2.5/",
    "/feeds/files",
  ];
  const conditional = [
    ...FEEDS,
    "/feeds/tauri/stable/windows/x86_64/1.0.0",
    "/feeds/tauri/stable/windows/x86_64/msi/1.0.0",
  ];
  return [
    ...targets.map((target) => ({ target })),
    ...conditional.flatMap((target) => [
      { target, headers: { "If-None-Match": "*" } },
      { target, headers: { "If-None-Match": '"other"' } },
      { target, method: "HEAD" },
      { target, method: "OPTIONS" },
      { target, method: "POST" },
    ]),
    { target: "/feeds/tauri/stable/windows/x86_64/9.0.0", method: "HEAD" },
    { target: "/feeds/electron/nothing.yml", headers: { "If-None-Match": "*" } },
  ];
}

function channelTargets(path: string): string[] {
  const queries = [
    "channel=stable",
    "channel=beta",
    "channel=",
    "channel",
    "channel=Beta",
    "channel=nightly",
    "channel=beta&channel=beta",
    "channel=beta&x=1&channel",
    "x=1&channel=beta&y=2",
    "Channel=beta",
    "xchannel=beta",
    "channel=be%74a",
    "%63hannel=beta",
    "channel=%zz",
    "channel=beta+",
    "&&channel=beta&",
  ];
  return queries.map((query) => `${path}?${query}`);
}

function pageTargets(): string[] {
  const queries = [
    "page=1",
    "page=2",
    "limit=5",
    "limit=5&page=2",
    "limit=5&page=3&channel=beta",
    "limit=100",
    "limit=1&page=19",
    "page=0",
    "page=-1",
    "page=01",
    "page=1.0",
    "page=1e2",
    "page=+1",
    "page=%201",
    "page=",
    "page",
    "page=1&page=1",
    "page=100001",
    "page=1000000",
    "limit=0",
    "limit=101",
    "limit=1000",
    "limit=5&limit=5",
    "limit=x&channel=y",
    "page=x&channel=beta",
    "channel=y&page=2",
  ];
  return queries.map((query) => `${API}/releases?${query}`);
}

function strangePaths(): string[] {
  return [
    "/",
    "/nothing",
    "/Health",
    "/health/",
    "//health",
    "/./health",
    "/x/../health",
    "/%2e/health",
    "/x/%2E%2e/health",
    "/he%61lth",
    "/health%0A",
    "/health%3F",
    `${API}`,
    `${API}/`,
    `${API}/Manifest`,
    `${API}/manifest/`,
    `${API}/manifest/index.json`,
    `${API}/manifest%2Findex.json`,
    `${API}//manifest`,
    `${API}/releases/`,
    `${API}/releases//latest`,
    `${API}/releases/latest/`,
    `${API}/releases/index.json`,
    `${API}/releases/pages/stable/20/1.json`,
    `${API}%2Freleases`,
    "/_headers",
    "/trellis_malformed",
    `/${"x".repeat(8191)}`,
    `/${"x".repeat(8192)}`,
  ];
}

function conditions(etag: string): string[] {
  return [
    etag,
    `W/${etag}`,
    "*",
    ` ${etag} `,
    `"other", ${etag}`,
    `"other",W/${etag},"third"`,
    `"a,b", ${etag}`,
    '"other"',
    etag.slice(1, -1),
    `${etag}x`,
    `"x${etag.slice(1)}`,
    `"${etag}"`,
    "",
    "*, x",
  ];
}

const AGENTS = [
  "",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
  "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 13; CUBOT X70) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
  "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) CriOS/130.0",
  "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/130.0",
  "Mozilla/5.0 (X11; FreeBSD amd64; Linux) Gecko/20100101 Firefox/130.0",
  "Mozilla/5.0 (Linux; Tizen 6.0) SMART-TV",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "curl/8.5.0",
  "Wget/1.21 (linux-gnu)",
  "App/1 CFNetwork/1496 Darwin/23.5.0",
  "Mozilla/5.0 (Windows NT 10.0; Windows Phone 10.0) Edge/15",
  "mozilla/5.0 (x11; linux x86_64)",
  "Linux",
  `Mozilla/5.0 (Windows NT 10.0) ${"x".repeat(600)}`,
];

export function selectorRequests(): RequestSample[] {
  const linux = { "User-Agent": AGENTS[2] ?? "" };
  const queries = [
    "platform=macos",
    "platform=macos&arch=arm64",
    "platform=nonsense",
    "platform=macos&platform=macos",
    "platform=m%61cos",
    "arch=",
    "arch",
    "arch=.",
    "arch=%2e.",
    "arch=a&arch=b",
    "arch=a%2Fb",
    "arch=%C3%A9",
    "arch=%zz",
    "arch=%ff",
    "channel=beta",
    "channel=beta&platform=android&arch=arm64-v8a",
    "channel=nonsense&platform=android",
    "channel=beta&channel=beta",
    "utm_source=x",
  ];
  return [
    ...AGENTS.map((agent) => ({
      target: "/",
      headers: agent === "" ? {} : { "User-Agent": agent },
    })),
    ...queries.map((query) => ({ target: `/?${query}`, headers: linux })),
    { target: "/?platform=linux", headers: {} },
    ...["/health", "/x", "//", "/?", "/./", "/api/v1/manifest"].map((target) => ({ target })),
    ...["HEAD", "OPTIONS", "POST"].map((method) => ({ target: "/", method, headers: linux })),
  ];
}
