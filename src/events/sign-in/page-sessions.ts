/**
 * Requests of browsers to the pages: the session of their cookies, the language and time zone of the page,
 * and the forms that they post.
 */
import { FORM_TYPE, LANGUAGE_COOKIE, MAX_PAGE_BODY_BYTES } from "../../contract/events/values.ts";
import { LANGUAGES, type Language } from "../../contract/language.ts";
import { chooseLanguage } from "../../http/choose-language.ts";
import type { HttpError } from "../../http/http-error.ts";
import { readText } from "../../http/read-body.ts";
import type { RawRequest, RequestContext } from "../../http/request.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { Interactions } from "../oauth/interactions.ts";
import type { ErrorView, EventsPages, PageFrame } from "../pages.ts";
import type { EventsAccount } from "../setup/account.ts";
import type { EventsStore, Profile } from "../store.ts";

export interface PageSessionSettings {
  readonly store: EventsStore;
  readonly account: EventsAccount;
  readonly interactions: Interactions;
  readonly pages: EventsPages;
  readonly serviceName: string;
  /** The time zone of accounts without a profile. */
  readonly timeZone: string;
}

export type PageSession = { readonly session: null; readonly frame: PageFrame } | SignedInSession;

export interface SignedInSession {
  readonly session: BrowserSession;
  readonly profile: Profile;
  readonly csrf: string;
  readonly frame: PageFrame;
}

export interface PostedForm {
  /** The value of a field, or an empty text. */
  text(name: string): string;
}

export type VerifiedForm =
  | { readonly kind: "verified"; readonly form: PostedForm; readonly page: SignedInSession }
  | { readonly kind: "signed-out" | "csrf-failed"; readonly response: HttpResponse }
  | { readonly kind: "unreadable"; readonly response: HttpError };

export function createPageSessions(settings: PageSessionSettings) {
  const { store, account, interactions, pages, serviceName } = settings;
  const { checks, csrf, sessions } = account;

  const createFrame = (
    request: Pick<RawRequest, "header">,
    path: string,
    search: string,
    preferred: Language | null = null,
    signedIn: PageFrame["account"] = null,
  ): PageFrame => ({
    language: readLanguage(request, search, preferred),
    address: pageAddress(path, search),
    account: signedIn,
    serviceName,
  });

  /** `path` is that of the page. */
  const findPage = async (
    request: Pick<RequestContext, "method" | "header" | "search">,
    path: string,
  ): Promise<PageSession> => {
    const session = await sessions.find(request);
    return session === null
      ? { session, frame: createFrame(request, path, request.search) }
      : openPage(session, request, path);
  };

  const openPage = async (
    session: BrowserSession,
    request: Pick<RequestContext, "header" | "search">,
    path: string,
  ): Promise<SignedInSession> => {
    const { accountId, username, sessionHash } = session;
    const profile = (await store.reads.profiles.find(accountId)) ?? {
      accountId,
      timeZone: settings.timeZone,
      language: null,
    };
    const token = csrf.sessionToken(sessionHash);
    const signedIn = { username, csrf: token, timeZone: profile.timeZone };
    const frame = createFrame(request, path, request.search, profile.language, signedIn);
    return { session, profile, csrf: token, frame };
  };

  const errorPage = (
    status: number,
    code: ErrorView["code"],
    { requestId }: Pick<RequestContext, "requestId">,
    frame: PageFrame,
  ): HttpResponse => {
    const page = pages.error({ status, code, retryAfterSeconds: null, requestId }, frame);
    return { ...page, errorCode: code };
  };

  return {
    ...sessions,
    findPage,
    errorPage,
    /** A frame that reads nothing from the store, which may be the cause of an error. */
    plainFrame: (request: Pick<RawRequest, "header">, path: string, search: string) =>
      createFrame(request, path, search),
    /** Reads a form of a signed-in session, and checks its CSRF token. */
    async verifyForm(context: RequestContext, path: string): Promise<VerifiedForm> {
      const body = await readText(context, { mediaType: FORM_TYPE, maxBytes: MAX_PAGE_BODY_BYTES });
      if (body.kind !== "text") return { kind: "unreadable", response: body };
      const { values, repeated, malformed } = parseParameters(body.text);
      if (repeated.size + malformed.size > 0) {
        return { kind: "unreadable", response: { kind: "malformed-request" } };
      }
      const form: PostedForm = { text: (name) => values.get(name) ?? "" };
      const check = await checks.checkSession(form.text("csrf"), context);
      if (check.kind === "signed-out") {
        const browser = sessions.readBrowser(context);
        const location = await interactions.findSignInPath(browser, form.text("interaction"));
        return { kind: "signed-out", response: redirectResponse(303, location) };
      }
      const page = await openPage(check.session, context, path);
      if (check.kind !== "verified") {
        return {
          kind: "csrf-failed",
          response: errorPage(403, "csrf-failed", context, page.frame),
        };
      }
      return { kind: "verified", form, page };
    },
  };
}

/** The query, the cookie of the language switch, the profile, then the browser. */
function readLanguage(
  request: Pick<RawRequest, "header">,
  search: string,
  preferred: Language | null,
): Language {
  const given = parseParameters(search).values.get("lang");
  const cookies = new Set((request.header("cookie") ?? "").split(";").map((pair) => pair.trim()));
  return (
    LANGUAGES.find((language) => language === given) ??
    LANGUAGES.find((language) => cookies.has(`${LANGUAGE_COOKIE}=${language}`)) ??
    preferred ??
    chooseLanguage(request.header("accept-language"), LANGUAGES)
  );
}

/** The address for the language switch has no language, and no notice, which is shown once. */
function pageAddress(path: string, search: string): string {
  const kept = search
    .split("&")
    .filter((part) => part !== "" && !/^(?:lang|notice)(?:=|$)/.test(part));
  // Browsers read two slashes or backslashes as the start of another host.
  const own = `/${path.replace(/^[/\\]+/, "")}`;
  return kept.length === 0 ? own : `${own}?${kept.join("&")}`;
}
