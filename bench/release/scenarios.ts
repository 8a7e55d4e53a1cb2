/** What is asked: the routes that clients and pages really use. */
export interface Scenario {
  readonly name: string;
  readonly target: string;
  readonly status: number;
  /** Sends the validator of the response, to be told that nothing has changed. */
  readonly isConditional?: boolean;
  /** What the client accepts; without it the response is not compressed. */
  readonly acceptEncoding?: string;
  /** The scenario is left out where the response itself grows with the catalogue. */
  readonly growsWithCatalog?: boolean;
  /** No file has the response, so a static tree cannot serve it. */
  readonly isLiveOnly?: boolean;
}

const BROWSER_ENCODINGS = "gzip, deflate, br, zstd";

export const SCENARIOS: readonly Scenario[] = [
  { name: "latest release", target: "/api/v1/releases/latest", status: 200 },
  { name: "concrete release", target: "/api/v1/releases/1.0.5", status: 200 },
  { name: "manifest", target: "/api/v1/manifest", status: 200, growsWithCatalog: true },
  {
    name: "manifest, unchanged",
    target: "/api/v1/manifest",
    status: 304,
    isConditional: true,
  },
  {
    name: "latest release, compressed",
    target: "/api/v1/releases/latest",
    status: 200,
    acceptEncoding: BROWSER_ENCODINGS,
  },
  {
    name: "manifest, compressed",
    target: "/api/v1/manifest",
    status: 200,
    acceptEncoding: BROWSER_ENCODINGS,
    growsWithCatalog: true,
  },
  {
    name: "manifest, compressed, unchanged",
    target: "/api/v1/manifest",
    status: 304,
    isConditional: true,
    acceptEncoding: BROWSER_ENCODINGS,
  },
  {
    name: "update decision",
    target: "/api/v1/update/linux?version=1.0.0&build=1",
    status: 200,
    isLiveOnly: true,
  },
  { name: "list page", target: "/api/v1/releases?page=1&limit=5", status: 200, isLiveOnly: true },
  {
    name: "download redirect",
    target: "/api/v1/download/linux",
    status: 302,
    isLiveOnly: true,
  },
];

/** A feed of each kind, on a catalogue whose artifacts have what other updaters check them by. */
export const FEED_SCENARIOS: readonly Scenario[] = [
  { name: "feed for electron-updater", target: "/feeds/electron/latest.yml", status: 200 },
  {
    name: "feed for electron-updater, unchanged",
    target: "/feeds/electron/latest.yml",
    status: 304,
    isConditional: true,
  },
  { name: "static feed for Tauri", target: "/feeds/tauri/stable.json", status: 200 },
  {
    name: "Tauri update",
    target: "/feeds/tauri/stable/windows/x86_64/0.9.0",
    status: 200,
  },
  {
    name: "no Tauri update",
    target: "/feeds/tauri/stable/windows/x86_64/999.0.0",
    status: 204,
  },
  { name: "appcast for Sparkle", target: "/feeds/sparkle/stable/appcast.xml", status: 200 },
  {
    name: "feed for Squirrel.Mac",
    target: "/feeds/squirrel/stable/darwin/arm64/RELEASES.json",
    status: 200,
  },
];
