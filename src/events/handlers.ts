/** Binds the routes of the contract to their handlers. */
import type { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import type { EVENTS_ROUTES } from "../contract/events/routes.ts";
import { PROTOCOL_VERSION } from "../contract/events/values.ts";
import { jsonResponse } from "../http/response.ts";
import type { Handlers } from "../http/create-http-service.ts";
import { createServerMetadata } from "../rules/events/wire/server-metadata.ts";
import { createAppsPage } from "./account/apps.ts";
import { createEventsPage } from "./account/events.ts";
import { createHomeHandlers } from "./account/home.ts";
import { createSettingsPage } from "./account/settings.ts";
import { createSubscriptionsPage } from "./account/subscriptions.ts";
import { createListHandler } from "./list-events.ts";
import { createAuthorizeHandler } from "./oauth/authorize.ts";
import { createConsentHandlers } from "./oauth/consent.ts";
import { createTokenHandlers } from "./oauth/token.ts";
import type { EventsDependencies } from "./parts.ts";
import { createSignInHandlers } from "./sign-in.ts";
import type { Grant } from "./store.ts";

export function createEventsHandlers(
  parts: EventsDependencies,
): Handlers<typeof EVENTS_ROUTES & typeof EVENTS_PAGE_ROUTES, Grant> {
  const apps = createAppsPage(parts);
  const events = createEventsPage(parts);
  const subscriptions = createSubscriptionsPage(parts);
  const settings = createSettingsPage(parts);
  const metadata = jsonResponse(200, JSON.stringify(createServerMetadata(parts.issuer)));
  const health = jsonResponse(200, JSON.stringify({ status: "ok", version: PROTOCOL_VERSION }));

  return {
    getAuthorizePage: createAuthorizeHandler(parts),
    ...createTokenHandlers(parts),
    listEvents: createListHandler(parts),
    getServerMetadata: () => metadata,
    async getHealth() {
      await parts.store.ping();
      return health;
    },
    ...createSignInHandlers(parts),
    ...createConsentHandlers(parts),
    ...createHomeHandlers(parts),
    getAppsPage: apps.get,
    changeApps: apps.post,
    getEventsPage: events.get,
    changeEvents: events.post,
    getSubscriptionsPage: subscriptions.get,
    changeSubscriptions: subscriptions.post,
    getSettingsPage: settings.get,
    changeSettings: settings.post,
  };
}
