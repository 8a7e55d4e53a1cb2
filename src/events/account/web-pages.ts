/** Implements the pages of the events service with the events pages of `web`. */
import type { EventsPages, EventsPageSettings, PageFrame } from "../pages.ts";
import type { HttpResponse } from "../../http/response.ts";
import { splitTarget } from "../../http/target.ts";
import { renderAppsPage } from "../../web/events/apps-page.ts";
import { renderConsentPage } from "../../web/events/consent/page.ts";
import { renderErrorPage } from "../../web/events/error-page.ts";
import { renderEventListPage } from "../../web/events/events/page.ts";
import type { EventsFrame, SignedInFrame } from "../../web/events/frame.ts";
import { renderHomePage } from "../../web/events/home-page.ts";
import { renderSettingsPage } from "../../web/events/settings/page.ts";
import { renderSignInLinkPage, renderSignInPage } from "../../web/events/sign-in/page.ts";
import { renderWelcomePage } from "../../web/events/welcome-page.ts";
import { renderSubscriptionsPage } from "../../web/events/subscriptions/page.ts";
import { createLanguageUrls, createNonce, htmlResponse } from "../../http/html-response.ts";

export function createEventsPages({ randomBytes, now }: EventsPageSettings): EventsPages {
  const page = (
    status: number,
    { language, serviceName, address, account }: PageFrame,
    render: (frame: EventsFrame) => string,
    formTarget?: string,
  ): HttpResponse => {
    const { path, search } = splitTarget(address);
    const frame: EventsFrame = {
      language,
      displayName: serviceName,
      nonce: createNonce(randomBytes),
      languageUrls: createLanguageUrls(path, search),
      account,
      now: now(),
    };
    const sources = formTarget === undefined ? {} : { formTarget };
    const response = htmlResponse(status, render(frame), frame, sources);
    // With no-referrer browsers send `Origin: null` with forms.
    return { ...response, headers: { ...response.headers, "Referrer-Policy": "same-origin" } };
  };
  const accountPage = (
    frame: PageFrame,
    render: (frame: SignedInFrame) => string,
    error: unknown = null,
  ): HttpResponse => {
    const { account } = frame;
    if (account === null) throw new Error("Cannot show an account page before sign-in");
    return page(error === null ? 200 : 400, frame, (own) => render({ ...own, account }));
  };

  return {
    home: (frame) => accountPage(frame, renderHomePage),
    signIn: (view, frame) => page(200, frame, (own) => renderSignInPage(view, own)),
    signInLink: (frame) => page(200, frame, renderSignInLinkPage),
    welcome: (view, frame) => page(200, frame, (own) => renderWelcomePage(view, own)),
    consent: (view, frame) =>
      page(200, frame, (own) => renderConsentPage(view, own), formTarget(view.redirectUri)),
    apps: (view, frame) => accountPage(frame, (own) => renderAppsPage(view, own)),
    events: (view, frame) =>
      accountPage(frame, (own) => renderEventListPage(view, own), view.error),
    subscriptions: (view, frame) =>
      accountPage(frame, (own) => renderSubscriptionsPage(view, own), view.error),
    settings: (view, frame) =>
      accountPage(frame, (own) => renderSettingsPage(view, own), view.error),
    error(view, frame) {
      const { status, retryAfterSeconds } = view;
      const response = page(status, frame, (own) => renderErrorPage(view, own));
      if (retryAfterSeconds === null) return response;
      const headers = { ...response.headers, "Retry-After": String(retryAfterSeconds) };
      return { ...response, headers };
    },
  };
}

// The URL standard lets a host contain ";" and "'", which would end a directive of the policy.
const POLICY_SAFE = /^(?:https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?|[a-z][a-z0-9+.-]*:)$/;

/**
 * Browsers apply `form-action` to the redirect after a form, too, and without the app's address the
 * page seems to do nothing. A web address is allowed by its origin, an app by its scheme.
 */
function formTarget(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  const source = protocol === "http:" || protocol === "https:" ? origin : protocol;
  return POLICY_SAFE.test(source) ? source : "";
}
