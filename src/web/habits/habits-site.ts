/** The files of the example app with their headers, for a server of static files. */
import { IMMUTABLE } from "../../contract/cache-control.ts";
import { HABITS_ICON_PNG } from "../generated/habits-icon-png.ts";
import { HABITS_ICON_SVG } from "../generated/habits-icon-svg.ts";
import { HABITS_PAGE } from "../generated/habits-page.ts";
import { HABITS_SCRIPTS } from "../generated/habits-scripts.ts";
import { HABITS_SERVICE_WORKER } from "../generated/habits-service-worker.ts";
import { HABITS_STYLE_HASH } from "../generated/habits-style-hash.ts";
import { HABITS_WEB_MANIFEST } from "../generated/habits-web-manifest.ts";

/** What the policy of the pages needs of the app's `config.json`. */
export interface HabitsSiteConfig {
  readonly sync: { readonly baseUrl: string };
  readonly events: { readonly service: PlannerService | null } | null;
  readonly release: { readonly baseUrl: string } | null;
  /** The page that may show the app in a frame. */
  readonly parentOrigin?: string;
}

interface PlannerService {
  readonly origin: string;
  readonly developmentAddress?: string;
}

interface HabitsFile {
  /** Without the slash at its beginning; the page of the app is `index.html`. */
  readonly path: string;
  readonly mediaType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The value of the header of that name. */
  readonly cacheControl: string;
}

export interface HabitsSite {
  readonly files: readonly HabitsFile[];
  /** The headers of every response, besides those of its file. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The service worker keeps the files; a browser asks whether they have changed. */
const REVALIDATED = "no-cache";

const PAGE_TYPE = "text/html; charset=utf-8";
const SCRIPT_TYPE = "text/javascript; charset=utf-8";

export function buildHabitsSite(config: HabitsSiteConfig): HabitsSite {
  return {
    files: [
      file("index.html", PAGE_TYPE, HABITS_PAGE),
      // The redirect URIs of sync and of events.
      file("callback", PAGE_TYPE, HABITS_PAGE),
      file("connected", PAGE_TYPE, HABITS_PAGE),
      file("service-worker.js", SCRIPT_TYPE, HABITS_SERVICE_WORKER),
      file("manifest.webmanifest", "application/manifest+json", HABITS_WEB_MANIFEST),
      file("icon.svg", "image/svg+xml", HABITS_ICON_SVG),
      file("icon-192.png", "image/png", decodeBase64(HABITS_ICON_PNG)),
      file("config.json", "application/json", JSON.stringify(config)),
      ...Object.entries(HABITS_SCRIPTS).map(([path, text]) =>
        file(path.slice(1), SCRIPT_TYPE, text, IMMUTABLE),
      ),
    ],
    headers: {
      "Content-Security-Policy": contentSecurityPolicy(config),
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
  };
}

function file(
  path: string,
  mediaType: string,
  body: HabitsFile["body"],
  cacheControl = REVALIDATED,
): HabitsFile {
  return { path, mediaType, body, cacheControl };
}

function contentSecurityPolicy(config: HabitsSiteConfig): string {
  const { sync, events, release, parentOrigin } = config;
  const connect = [
    "'self'",
    toOrigin(sync.baseUrl),
    ...(release === null ? [] : [toOrigin(release.baseUrl)]),
    // A person may type the address of any service on the internet.
    ...(events === null ? [] : [events.service === null ? "https:" : addressOf(events.service)]),
  ];
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The style is in the page.
    `style-src 'sha256-${HABITS_STYLE_HASH}'`,
    "img-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src ${[...new Set(connect)].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${parentOrigin ?? "'none'"}`,
  ].join("; ");
}

function addressOf({ origin, developmentAddress }: PlannerService): string {
  return toOrigin(developmentAddress ?? origin);
}

function toOrigin(address: string): string {
  return new URL(address).origin;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
