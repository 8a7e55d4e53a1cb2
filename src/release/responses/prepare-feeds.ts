/** The feeds of one catalogue, built when it is loaded and when a deadline passes: a request only selects one. */
import type { FEED_ROUTES } from "../../contract/release/feed-routes.ts";
import {
  APPCAST_TYPE,
  ELECTRON_FILES,
  SQUIRREL_ARCHITECTURES,
  TAURI_ARCHITECTURES,
  TAURI_BUNDLE_TYPES,
  TAURI_TARGETS,
  UNKNOWN_BUNDLE_TYPE,
  YAML_TYPE,
  type TauriBundleType,
} from "../../contract/release/feed-values.ts";
import { CACHE } from "../../contract/release/routes.ts";
import { RELEASE_CHANNELS } from "../../contract/release/values.ts";
import {
  negotiatedContent,
  negotiatedJson,
  type NegotiatedResponse,
} from "../../http/negotiated-response.ts";
import { JSON_TYPE } from "../../http/response.ts";
import { appcast, appcastDeadlines } from "../../rules/release/feeds/appcast.ts";
import { electronFeed } from "../../rules/release/feeds/electron-feed.ts";
import { squirrelMacFeed } from "../../rules/release/feeds/squirrel-feed.ts";
import { tauriStaticFeed, tauriUpdate } from "../../rules/release/feeds/tauri-feed.ts";
import type { FeedContent } from "../../rules/release/feeds/select-feed-releases.ts";

export interface PreparedFeed {
  readonly operationId: keyof typeof FEED_ROUTES;
  /** Null when no release has a file for the feed. */
  readonly response: NegotiatedResponse | null;
  /** The version that a feed offers to installations of an older one. */
  readonly version?: string;
}

/** Feeds by the path of their address, which is without the installed version for updates of Tauri. */
export type PreparedFeeds = ReadonlyMap<string, PreparedFeed>;

/** The feeds at a moment. */
export interface CurrentFeeds {
  readonly feeds: PreparedFeeds;
  /** When an appcast changes, because the deadline of a release passes; Infinity when none is ahead. */
  readonly changesAt: number;
}

/** The feeds by the clock; they are built again when a deadline has passed. */
export function createFeeds(content: FeedContent, now: number): (now: number) => CurrentFeeds {
  const deadlines = appcastDeadlines(content.releases);
  const build = (at: number) => ({
    feeds: prepareFeeds(content, at),
    validFrom: Math.max(...deadlines.filter((deadline) => deadline <= at)),
    changesAt: Math.min(...deadlines.filter((deadline) => deadline > at)),
  });
  let current = build(now);
  return (at) => {
    // A clock that is set back makes a deadline lie ahead again.
    if (at < current.validFrom || at >= current.changesAt) current = build(at);
    return current;
  };
}

export function prepareFeeds({ product, releases }: FeedContent, now: number): PreparedFeeds {
  const feeds = new Map<string, PreparedFeed>();
  const add = (
    operationId: PreparedFeed["operationId"],
    path: string,
    type: string,
    body: string | null,
  ) => {
    const response = body === null ? null : negotiatedContent(type, body, CACHE.current);
    feeds.set(path, { operationId, response });
  };
  for (const { name, channel, target } of ELECTRON_FILES) {
    const body = electronFeed(releases, channel, target);
    add("getElectronFeed", `/feeds/electron/${name}`, YAML_TYPE, body);
  }
  for (const channel of RELEASE_CHANNELS) {
    const body = tauriStaticFeed(releases, channel);
    add("getTauriFeed", `/feeds/tauri/${channel}.json`, JSON_TYPE, body);
  }
  for (const { channel, target, architecture } of tauriMachines()) {
    const path = `/feeds/tauri/${channel}/${target}/${architecture}`;
    const addUpdate = (
      operationId: PreparedFeed["operationId"],
      address: string,
      bundleType?: TauriBundleType,
    ) => {
      const update = tauriUpdate(releases, channel, target, architecture, bundleType);
      if (update === null) return;
      const response = negotiatedJson(update.text, CACHE.current);
      feeds.set(address, { operationId, response, version: update.version });
    };
    addUpdate("getTauriUpdate", path);
    addUpdate("getTauriBundleUpdate", `${path}/${UNKNOWN_BUNDLE_TYPE}`);
    for (const type of TAURI_BUNDLE_TYPES) {
      addUpdate("getTauriBundleUpdate", `${path}/${type}`, type);
    }
  }
  for (const channel of RELEASE_CHANNELS) {
    const path = `/feeds/sparkle/${channel}/appcast.xml`;
    const type = `${APPCAST_TYPE}; charset=utf-8`;
    add("getAppcast", path, type, appcast(releases, channel, product, now));
  }
  for (const channel of RELEASE_CHANNELS) {
    for (const architecture of SQUIRREL_ARCHITECTURES) {
      const path = `/feeds/squirrel/${channel}/darwin/${architecture}/RELEASES.json`;
      const body = squirrelMacFeed(releases, channel, architecture);
      add("getSquirrelMacFeed", path, JSON_TYPE, body);
    }
  }
  return feeds;
}

function tauriMachines() {
  return RELEASE_CHANNELS.flatMap((channel) =>
    TAURI_TARGETS.flatMap((target) =>
      TAURI_ARCHITECTURES.map((architecture) => ({ channel, target, architecture })),
    ),
  );
}
