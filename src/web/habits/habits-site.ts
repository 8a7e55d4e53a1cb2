/** The files of the example app with their headers, for a server of static files. */
import { HABITS_ICON_PNG } from "../generated/habits-icon-png.ts";
import { HABITS_ICON_SVG } from "../generated/habits-icon-svg.ts";
import { HABITS_PAGE } from "../generated/habits-page.ts";
import { HABITS_SCRIPT } from "../generated/habits-script.ts";
import { HABITS_SERVICE_WORKER } from "../generated/habits-service-worker.ts";
import { HABITS_STYLE } from "../generated/habits-style.ts";
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

export interface HabitsFile {
  readonly mediaType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface HabitsSite {
  readonly files: ReadonlyMap<string, HabitsFile>;
  /** The headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
}

export function buildHabitsSite(config: HabitsSiteConfig): HabitsSite {
  const page = { mediaType: "text/html; charset=utf-8", body: HABITS_PAGE };
  const script = "text/javascript; charset=utf-8";
  return {
    files: new Map<string, HabitsFile>([
      ["/", page],
      // The redirect URIs of sync and of events.
      ["/callback", page],
      ["/connected", page],
      ["/app.js", { mediaType: script, body: HABITS_SCRIPT }],
      ["/service-worker.js", { mediaType: script, body: HABITS_SERVICE_WORKER }],
      ["/style.css", { mediaType: "text/css; charset=utf-8", body: HABITS_STYLE }],
      [
        "/manifest.webmanifest",
        { mediaType: "application/manifest+json", body: HABITS_WEB_MANIFEST },
      ],
      ["/icon.svg", { mediaType: "image/svg+xml", body: HABITS_ICON_SVG }],
      ["/icon-192.png", { mediaType: "image/png", body: decodeBase64(HABITS_ICON_PNG) }],
      ["/config.json", { mediaType: "application/json", body: JSON.stringify(config) }],
    ]),
    headers: {
      "Content-Security-Policy": contentSecurityPolicy(config),
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      // The service worker keeps the files; a browser asks whether they have changed.
      "Cache-Control": "no-cache",
    },
  };
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
    "style-src 'self'",
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
