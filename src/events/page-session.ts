/** The session of a page request, with the language and the time zone of the page. */
import { LANGUAGE_COOKIE } from "../contract/events/values.ts";
import { LANGUAGES, type Language } from "../contract/language.ts";
import { chooseLanguage } from "../http/choose-language.ts";
import type { RawRequest, RequestContext } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { parseParameters } from "../rules/events/wire/parse-parameters.ts";
import type { CsrfGuard } from "../identity/csrf.ts";
import type { ErrorView, EventsPages, PageFrame } from "./pages.ts";
import type { EventsSessions } from "./sessions.ts";
import type { BrowserSession } from "../identity/browser-sessions.ts";
import type { EventsStore, Profile } from "./store.ts";

export interface PageSession {
  readonly session: BrowserSession | null;
  readonly frame: PageFrame;
}

export interface SignedInSession extends PageSession {
  readonly session: BrowserSession;
  readonly profile: Profile;
  readonly csrf: string;
}

export type PageSessions = ReturnType<typeof createPageSessions>;

export interface PageSessionSettings {
  readonly store: EventsStore;
  readonly sessions: EventsSessions;
  readonly csrf: CsrfGuard;
  readonly serviceName: string;
  /** For accounts without a profile. */
  readonly timeZone: string;
}

export function createPageSessions(settings: PageSessionSettings) {
  const { store, sessions, csrf: guard, serviceName } = settings;
  const createFrame = (
    request: Pick<RawRequest, "header">,
    path: string,
    search: string,
    preferred: Language | null = null,
    account: PageFrame["account"] = null,
  ): PageFrame => ({
    language: readLanguage(request, search, preferred),
    address: pageAddress(path, search),
    account,
    serviceName,
  });

  return {
    /** `path` is that of the page. */
    async find(
      request: Pick<RequestContext, "method" | "header" | "search">,
      path: string,
    ): Promise<PageSession | SignedInSession> {
      const session = await sessions.find(request);
      const { search } = request;
      if (session === null) return { session, frame: createFrame(request, path, search) };
      const { accountId, username, sessionHash } = session;
      const profile = (await store.reads.profiles.find(accountId)) ?? {
        accountId,
        timeZone: settings.timeZone,
        language: null,
      };
      const csrf = guard.sessionToken(sessionHash);
      const account = { username, csrf, timeZone: profile.timeZone };
      const frame = createFrame(request, path, search, profile.language, account);
      return { session, profile, csrf, frame };
    },
    /** For error pages: reads nothing from the store, which may be the cause. */
    errorFrame: (request: Pick<RawRequest, "header">, path: string, search: string) =>
      createFrame(request, path, search),
  };
}

export function isSignedIn(page: PageSession | SignedInSession): page is SignedInSession {
  return page.session !== null;
}

export function errorPage(
  pages: EventsPages,
  status: number,
  code: ErrorView["code"],
  { requestId }: Pick<RequestContext, "requestId">,
  frame: PageFrame,
): HttpResponse {
  const page = pages.error({ status, code, retryAfterSeconds: null, requestId }, frame);
  return { ...page, errorCode: code };
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

/** For the language switch, so without a language; and without the notice, which is shown once. */
function pageAddress(path: string, search: string): string {
  const kept = search
    .split("&")
    .filter((part) => part !== "" && !/^(?:lang|notice)(?:=|$)/.test(part));
  // Browsers read two slashes or backslashes as the start of another host.
  const own = `/${path.replace(/^[/\\]+/, "")}`;
  return kept.length === 0 ? own : `${own}?${kept.join("&")}`;
}
