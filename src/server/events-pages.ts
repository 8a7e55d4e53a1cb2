/** Wires the pages into the events service, each with the policy it needs. */
import type { EventsPages, EventsPageSettings, PageFrame } from "../events/pages.ts";
import type { HttpResponse } from "../http/response.ts";
import { renderAppsPage } from "../web/events/apps/page.ts";
import { renderConsentPage } from "../web/events/consent/page.ts";
import { renderEventListPage } from "../web/events/events/page.ts";
import type { EventsFrame } from "../web/events/frame.ts";
import { renderHomePage } from "../web/events/home/page.ts";
import { renderErrorPage } from "../web/events/problem/page.ts";
import { renderSettingsPage } from "../web/events/settings/page.ts";
import { renderSignInPage } from "../web/events/sign-in/page.ts";
import type { SignedInFrame } from "../web/events/signed-in.ts";
import { renderSubscriptionsPage } from "../web/events/subscriptions/page.ts";
import type { Language } from "../web/language.ts";

const NONCE_BYTES = 18;

export function createEventsPages({ randomBytes, now }: EventsPageSettings): EventsPages {
  const open = (frame: PageFrame): EventsFrame => ({
    language: frame.language,
    displayName: frame.serviceName,
    nonce: Buffer.from(randomBytes(NONCE_BYTES)).toString("base64"),
    languageUrls: { de: inLanguage(frame.address, "de"), en: inLanguage(frame.address, "en") },
    account: frame.account,
    now: now(),
  });
  /** Renders into a frame of this answer alone. */
  const page = (pageFrame: PageFrame, render: (frame: EventsFrame) => string): HttpResponse => {
    const frame = open(pageFrame);
    return htmlResponse(200, render(frame), policy(frame.nonce));
  };
  const accountPage = (
    pageFrame: PageFrame,
    render: (frame: SignedInFrame) => string,
  ): HttpResponse =>
    page(pageFrame, (frame) => {
      const { account } = frame;
      if (account === null) throw new Error("Cannot show an account page to nobody");
      return render({ ...frame, account });
    });

  return {
    home: (frame) => accountPage(frame, renderHomePage),
    signIn: (view, frame) => page(frame, (own) => renderSignInPage(view, own)),
    consent(view, pageFrame) {
      const frame = open(pageFrame);
      const body = renderConsentPage(view, frame);
      return htmlResponse(200, body, policy(frame.nonce, formTarget(view.redirectUri)));
    },
    apps: (view, frame) => accountPage(frame, (own) => renderAppsPage(view, own)),
    events(view, frame) {
      const status = view.problem === null ? 200 : 400;
      return { ...accountPage(frame, (own) => renderEventListPage(view, own)), status };
    },
    subscriptions(view, frame) {
      const status = view.problem === null ? 200 : 400;
      return { ...accountPage(frame, (own) => renderSubscriptionsPage(view, own)), status };
    },
    settings(view, frame) {
      const status = view.problem === null ? 200 : 400;
      return { ...accountPage(frame, (own) => renderSettingsPage(view, own)), status };
    },
    problem(view, pageFrame) {
      const frame = open(pageFrame);
      const answer = htmlResponse(view.status, renderErrorPage(view, frame), policy(frame.nonce));
      const { retryAfterSeconds } = view;
      if (retryAfterSeconds === null) return answer;
      return {
        ...answer,
        headers: { ...answer.headers, "Retry-After": String(retryAfterSeconds) },
      };
    },
  };
}

function policy(nonce: string, target = ""): string {
  return `default-src 'none'; connect-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
}

// The URL standard lets a host contain ";" and "'", which would end a directive of the policy.
const POLICY_SAFE = /^(?:https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?|[a-z][a-z0-9+.-]*:)$/;

/**
 * Browsers apply `form-action` to the redirect after a form, too: without the app's address there, a
 * page looks dead after the person has decided. Web addresses are named by origin, apps by scheme.
 */
function formTarget(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  const source = protocol === "http:" || protocol === "https:" ? origin : protocol;
  return POLICY_SAFE.test(source) ? ` ${source}` : "";
}

function htmlResponse(status: number, body: string, contentSecurityPolicy: string): HttpResponse {
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": contentSecurityPolicy,
      // Without a referrer browsers send `Origin: null` with forms.
      "Referrer-Policy": "same-origin",
      "Content-Length": String(Buffer.byteLength(body)),
    },
    body,
  };
}

function inLanguage(address: string, language: Language): string {
  return `${address}${address.includes("?") ? "&" : "?"}lang=${language}`;
}
