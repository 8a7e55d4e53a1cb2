/** The feeds of one catalogue, built when it is loaded: a request only selects one. */
import {
  APPCAST_TYPE,
  ELECTRON_FILES,
  SQUIRREL_ARCHITECTURES,
  TAURI_ARCHITECTURES,
  TAURI_TARGETS,
  YAML_TYPE,
} from "../contract/release/feed-values.ts";
import { CACHE } from "../contract/release/routes.ts";
import { RELEASE_CHANNELS } from "../contract/release/values.ts";
import {
  conditionalContent,
  conditionalJson,
  type ConditionalResponse,
} from "../http/conditional.ts";
import { JSON_TYPE } from "../http/response.ts";
import { appcast } from "../rules/release/feeds/appcast.ts";
import { electronFeed } from "../rules/release/feeds/electron-feed.ts";
import { squirrelMacFeed } from "../rules/release/feeds/squirrel-feed.ts";
import { tauriStaticFeed, tauriUpdate } from "../rules/release/feeds/tauri-feed.ts";
import type { FeedContent } from "../rules/release/feeds/select-feed-releases.ts";

/** Feeds without a release are absent. */
export interface PreparedFeeds {
  /** By the name of the file. */
  readonly electron: ReadonlyMap<string, ConditionalResponse>;
  /** By the name of the file. */
  readonly tauri: ReadonlyMap<string, ConditionalResponse>;
  /** By `channel/target/architecture`. */
  readonly tauriUpdates: ReadonlyMap<string, TauriUpdateResponse>;
  /** By channel. */
  readonly appcasts: ReadonlyMap<string, ConditionalResponse>;
  /** By `channel/architecture`. */
  readonly squirrelMac: ReadonlyMap<string, ConditionalResponse>;
}

export interface TauriUpdateResponse {
  /** For installations of an older version. */
  readonly version: string;
  readonly response: ConditionalResponse;
}

export function prepareFeeds({ product, releases }: FeedContent): PreparedFeeds {
  const tauriMachines = RELEASE_CHANNELS.flatMap((channel) =>
    TAURI_TARGETS.flatMap((target) =>
      TAURI_ARCHITECTURES.map((architecture) => ({ channel, target, architecture })),
    ),
  );
  return {
    electron: present(
      ELECTRON_FILES.map(({ name, channel, target }) => [
        name,
        yaml(electronFeed(releases, channel, target)),
      ]),
    ),
    tauri: present(
      RELEASE_CHANNELS.map((channel) => [
        `${channel}.json`,
        json(tauriStaticFeed(releases, channel)),
      ]),
    ),
    tauriUpdates: present(
      tauriMachines.map(({ channel, target, architecture }) => {
        const update = tauriUpdate(releases, channel, target, architecture);
        return [
          `${channel}/${target}/${architecture}`,
          update && {
            version: update.version,
            response: conditionalJson(update.text, CACHE.current),
          },
        ];
      }),
    ),
    appcasts: present(
      RELEASE_CHANNELS.map((channel) => [channel, xml(appcast(releases, channel, product))]),
    ),
    squirrelMac: present(
      RELEASE_CHANNELS.flatMap((channel) =>
        SQUIRREL_ARCHITECTURES.map((architecture) => [
          `${channel}/${architecture}`,
          json(squirrelMacFeed(releases, channel, architecture)),
        ]),
      ),
    ),
  };
}

function present<T>(entries: readonly (readonly [string, T | null])[]): Map<string, T> {
  return new Map(entries.flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

type Body = string | null;
const json = (body: Body) => content(JSON_TYPE, body);
const yaml = (body: Body) => content(YAML_TYPE, body);
const xml = (body: Body) => content(`${APPCAST_TYPE}; charset=utf-8`, body);

function content(type: string, body: Body): ConditionalResponse | null {
  return body === null ? null : conditionalContent(type, body, CACHE.current);
}
