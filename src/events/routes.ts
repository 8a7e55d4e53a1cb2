import { CHALLENGE_HEADER } from "../contract/server-proof.ts";
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import type { EVENTS_ROUTES } from "../contract/events/routes.ts";
import { PROTOCOL_VERSION } from "../contract/events/values.ts";
import type { Handlers } from "../http/create-http-service.ts";
import { jsonResponse } from "../http/response.ts";
import { createServerMetadata } from "../rules/events/wire/server-metadata.ts";
import { createAccountPage } from "./account/account-page.ts";
import { createAppsPage } from "./account/apps.ts";
import { createEventsPage } from "./account/events.ts";
import { createSettingsPage } from "./account/settings.ts";
import { createSubscriptionsPage } from "./account/subscriptions.ts";
import { handleAccount } from "./setup/account.ts";
import type { EventsDependencies } from "./setup/dependencies.ts";
import { createListHandler } from "./oauth/list-events.ts";
import { createAuthorizationHandlers } from "./oauth/authorization.ts";
import { createConsentHandlers } from "./oauth/consent.ts";
import { createTokenHandlers } from "./oauth/token.ts";
import { createSignInHandlers } from "./sign-in/sign-in.ts";
import type { Grant } from "./store.ts";

export function createEventsHandlers(
  dependencies: EventsDependencies,
): Handlers<typeof EVENTS_ROUTES & typeof EVENTS_PAGE_ROUTES, Grant> {
  const home = createAccountPage(dependencies, EVENTS_PAGE_ROUTES.getHomePage.path, {
    show: ({ frame }) => dependencies.pages.home(frame),
    actions: {},
  });
  const apps = createAppsPage(dependencies);
  const events = createEventsPage(dependencies);
  const subscriptions = createSubscriptionsPage(dependencies);
  const settings = createSettingsPage(dependencies);
  const hasPasskeys = dependencies.account.passkeys !== null;
  const metadata = createServerMetadata(dependencies.issuer, hasPasskeys);
  const health = JSON.stringify({ status: "ok", version: PROTOCOL_VERSION });

  return {
    ...createAuthorizationHandlers(dependencies),
    ...createConsentHandlers(dependencies),
    ...createTokenHandlers(dependencies),
    listEvents: createListHandler(dependencies),
    getServerMetadata: () => jsonResponse(200, JSON.stringify(metadata)),
    async getHealth(_input, context) {
      await dependencies.store.ping();
      const challenge = context.header(CHALLENGE_HEADER.toLowerCase());
      return jsonResponse(200, health, dependencies.prove(challenge));
    },
    ...createSignInHandlers(dependencies),
    getHomePage: home.get,
    getAppsPage: apps.get,
    changeApps: apps.post,
    getEventsPage: events.get,
    changeEvents: events.post,
    getSubscriptionsPage: subscriptions.get,
    changeSubscriptions: subscriptions.post,
    getSettingsPage: settings.get,
    changeSettings: settings.post,
    addPasskey: handleAccount(dependencies.account.addPasskey),
  };
}
