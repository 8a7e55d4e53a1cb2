/** The interface of the pages. `web` has what they show. */
import type {
  AppsView,
  ConsentView,
  ErrorView,
  EventsView,
  PageAccount,
  SettingsView,
  SignInView,
  SubscriptionsView,
  WelcomeView,
} from "../contract/events/page-views.ts";
import type { Language } from "../contract/language.ts";
import type { HttpResponse } from "../http/response.ts";

export type * from "../contract/events/page-views.ts";

export interface EventsPageSettings {
  readonly randomBytes: (length: number) => Uint8Array;
  readonly now: () => number;
}

export interface PageFrame {
  readonly language: Language;
  /** Path and query of this page without `lang`: the language switch adds it. */
  readonly address: string;
  /** Null before sign-in. */
  readonly account: PageAccount | null;
  readonly serviceName: string;
}

export interface EventsPages {
  home(frame: PageFrame): HttpResponse;
  signIn(view: SignInView, frame: PageFrame): HttpResponse;
  signInLink(frame: PageFrame): HttpResponse;
  welcome(view: WelcomeView, frame: PageFrame): HttpResponse;
  consent(view: ConsentView, frame: PageFrame): HttpResponse;
  apps(view: AppsView, frame: PageFrame): HttpResponse;
  events(view: EventsView, frame: PageFrame): HttpResponse;
  subscriptions(view: SubscriptionsView, frame: PageFrame): HttpResponse;
  settings(view: SettingsView, frame: PageFrame): HttpResponse;
  error(view: ErrorView, frame: PageFrame): HttpResponse;
}
