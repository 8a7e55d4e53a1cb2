/** Somebody at a browser: who they are, and in which words and zone they are answered. */
import { LANGUAGE_COOKIE } from "../contract/events/values.ts";
import { chooseLanguage } from "../http/choose-language.ts";
import type { RawRequest } from "../http/request-context.ts";
import type { RequestContext } from "../http/request-context.ts";
import { parseParameters } from "../rules/events/wire/parse-parameters.ts";
import type { CsrfGuard } from "./forgery-guard.ts";
import type { PageFrame } from "./pages.ts";
import type { Sessions } from "./sessions.ts";
import type { BrowserSession, EventsStore, Profile } from "./store.ts";

export type Asking = Pick<RequestContext, "method" | "header" | "search">;

export interface PageSession {
  readonly session: BrowserSession | null;
  readonly frame: PageFrame;
}

export interface SignedInSession extends PageSession {
  readonly session: BrowserSession;
  readonly profile: Profile;
  readonly csrf: string;
}

export interface PageSessions {
  /** `path` is that of the page. */
  find(context: Asking, path: string): Promise<PageSession | SignedInSession>;
  /** For a page that says what went wrong, which must not ask the store again. */
  frameOfError(exchange: Pick<RawRequest, "header">, path: string, search: string): PageFrame;
}

export interface PageSessionSettings {
  readonly store: EventsStore;
  readonly sessions: Sessions;
  readonly guard: CsrfGuard;
  readonly serviceName: string;
  readonly timeZone: string;
}

const LANGUAGES = ["en", "de"] as const;
type Language = (typeof LANGUAGES)[number];

export function createPageSessions(settings: PageSessionSettings): PageSessions {
  const { store, sessions, guard, serviceName } = settings;

  const profileOf = async (accountId: string): Promise<Profile> =>
    (await store.reads.profiles.find(accountId)) ?? {
      accountId,
      timeZone: settings.timeZone,
      language: null,
    };

  return {
    async find(context, path) {
      const session = await sessions.find(context);
      const { search } = context;
      if (session === null) {
        const language = languageOf(context, search, null);
        const address = addressOf(path, search);
        return { session: null, frame: { language, address, account: null, serviceName } };
      }
      const profile = await profileOf(session.accountId);
      const csrf = guard.sessionToken(session.sessionHash);
      const { username } = session;
      const frame = {
        language: languageOf(context, search, profile.language),
        address: addressOf(path, search),
        account: { username, csrf, timeZone: profile.timeZone },
        serviceName,
      };
      return { session, profile, csrf, frame };
    },
    frameOfError: (exchange, path, search) => ({
      language: languageOf(exchange, search, null),
      address: addressOf(path, search),
      account: null,
      serviceName,
    }),
  };
}

export function isSignedIn(visit: PageSession | SignedInSession): visit is SignedInSession {
  return visit.session !== null;
}

function languageOf(
  source: Pick<RawRequest, "header">,
  search: string,
  preferred: Language | null,
): Language {
  const asked = parseParameters(search).values.get("lang");
  return (
    LANGUAGES.find((language) => language === asked) ??
    chosenWithSwitch(source) ??
    preferred ??
    chooseLanguage(source.header("accept-language"), LANGUAGES)
  );
}

/** What the switch of an earlier page said, until the browser ends. */
function chosenWithSwitch(source: Pick<RawRequest, "header">): Language | undefined {
  const pairs = new Set((source.header("cookie") ?? "").split(";").map((pair) => pair.trim()));
  return LANGUAGES.find((language) => pairs.has(`${LANGUAGE_COOKIE}=${language}`));
}

/** What the language switch leads to, in the other language. Notices are for once. */
function addressOf(path: string, search: string): string {
  const kept = search
    .split("&")
    .filter((part) => part !== "" && !/^(?:lang|notice)(?:=|$)/.test(part));
  // Two slashes, or what browsers take for them, would begin the name of another host.
  const own = `/${path.replace(/^[/\\]+/, "")}`;
  return kept.length === 0 ? own : `${own}?${kept.join("&")}`;
}
