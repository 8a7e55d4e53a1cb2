/** The browsers that are signed in to an account, each with its sign-out. */
import type { SignedInBrowser } from "../contract/identity.ts";
import { ACCOUNT_TEXTS } from "./account-texts.ts";
import { factList } from "./components.ts";
import { confirmForm } from "./forms.ts";
import { html, type Html } from "./html.ts";
import { lineList } from "./line-list.ts";
import { moment, type Clock } from "./moments.ts";
import { describeBrowser } from "./sign-in-history.ts";

export interface SignedInBrowsersView {
  readonly browsers: readonly SignedInBrowser[];
  readonly csrf: string;
  /** The path of the form. */
  readonly action: string;
  /** What a sign-out means at this service. */
  readonly question: string;
  readonly clock: Clock;
}

export function signedInBrowsers(view: SignedInBrowsersView): Html {
  const { language } = view.clock;
  const { browser, signedIn } = BROWSERS_TEXTS[language];
  const headings = [browser, ACCOUNT_TEXTS[language].lastUsed, signedIn];
  const items = view.browsers.map((item) => browserLine(item, view));
  return lineList("browsers", headings, items, language);
}

function browserLine(item: SignedInBrowser, view: SignedInBrowsersView): Html {
  const { csrf, action, question, clock } = view;
  const account = ACCOUNT_TEXTS[clock.language];
  const { thisBrowser, signedIn, confirm } = BROWSERS_TEXTS[clock.language];
  const name = describeBrowser(item, clock.language);
  return html`<li class="line">
    <h3>${name} ${item.isThis && html`<span class="badge marked">${thisBrowser}</span>`}</h3>
    ${factList([
      [account.lastUsed, moment(item.lastUsedAt, clock, "short")],
      [signedIn, moment(item.createdAt, clock, "short")],
    ])}
    <div class="row actions">
      ${
        !item.isThis &&
        confirmForm({
          label: account.signOut,
          name,
          question,
          confirm,
          action,
          members: { csrf, action: "sign-out-browser", browser: item.id },
        })
      }
    </div>
  </li>`;
}

const en = {
  title: "Signed-in browsers",
  browser: "Browser",
  thisBrowser: "This browser",
  signedIn: "Signed in",
  confirm: "Yes, sign it out",
  signedOut: "The browser is signed out.",
  gone: "That browser is no longer signed in. The list below is up to date.",
};

const de: typeof en = {
  title: "Angemeldete Browser",
  browser: "Browser",
  thisBrowser: "Dieser Browser",
  signedIn: "Angemeldet",
  confirm: "Ja, abmelden",
  signedOut: "Der Browser ist abgemeldet.",
  gone: "Dieser Browser ist nicht mehr angemeldet. Die Liste unten ist aktuell.",
};

export const BROWSERS_TEXTS = { en, de };
