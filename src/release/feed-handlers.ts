/** The handlers of the feeds for other updaters. */
import type { FEED_ROUTES } from "../contract/release/feed-routes.ts";
import { CACHE } from "../contract/release/routes.ts";
import type { ConditionalResponse } from "../http/conditional.ts";
import type { Handlers } from "../http/create-http-service.ts";
import type { RequestContext } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { isOlderVersion } from "../rules/release/feeds/tauri-feed.ts";
import { conditional, noRelease } from "./conditional-response.ts";
import type { PreparedFeeds } from "./prepare-feeds.ts";

const NO_UPDATE: HttpResponse = {
  status: 204,
  headers: { "Cache-Control": CACHE.current },
  body: null,
};

/** `feeds` is called once for each request, so that a reload in between is atomic. */
export function createFeedHandlers(feeds: () => PreparedFeeds): Handlers<typeof FEED_ROUTES> {
  const send = (response: ConditionalResponse | undefined, context: RequestContext) =>
    response === undefined ? noRelease(context) : conditional(response, context);
  return {
    getElectronFeed: ({ file }, context) => send(feeds().electron.get(file), context),
    getTauriFeed: ({ file }, context) => send(feeds().tauri.get(file), context),
    getTauriUpdate({ channel, target, arch, current_version }, context) {
      const update = feeds().tauriUpdates.get(`${channel}/${target}/${arch}`);
      return update !== undefined && isOlderVersion(current_version, update.version)
        ? conditional(update.response, context)
        : NO_UPDATE;
    },
    getAppcast: ({ channel }, context) => send(feeds().appcasts.get(channel), context),
    getSquirrelMacFeed: ({ channel, arch }, context) =>
      send(feeds().squirrelMac.get(`${channel}/${arch}`), context),
  };
}
