/** The history of sign-ins: what was done from which browser, and what was refused. */
import type { BrowserName, SignInItem } from "../contract/identity.ts";
import type { Language } from "../contract/language.ts";
import { html, type Html } from "./html.ts";
import { lineList } from "./line-list.ts";
import { moment, type Clock } from "./moments.ts";

export function signInHistory(signIns: readonly SignInItem[], clock: Clock): Html {
  const { none } = TEXTS[clock.language].signIns;
  if (signIns.length === 0) return html`<p class="panel entry">${none}</p>`;
  const items = signIns.map((item) => signInLine(item, clock));
  return lineList("history", [], items, clock.language);
}

function signInLine(item: SignInItem, clock: Clock): Html {
  const own = TEXTS[clock.language].signIns;
  const { result, isNew, tries, network, at } = item;
  const isRefused = result === "refused";
  const badge = isRefused ? own.refusedTimes(tries) : isNew && own.newBrowser;
  return html`<li class="line${isRefused && " refused"}">
    <p>
      <strong>${describe(item, own)}</strong>
      ${badge !== false && html`<span class="badge${!isRefused && " marked"}">${badge}</span>`}
    </p>
    <p class="meta">${describeBrowser(item, clock.language)}</p>
    <p class="meta">${network !== null && own.network(html`<code>${network}</code>`)}</p>
    <p class="meta">${moment(at, clock, "short")}</p>
  </li>`;
}

function describe(
  { result, purpose, method }: SignInItem,
  { accepted, refused, withPasskey, refusedPasskey }: Texts["signIns"],
): string {
  if (result === "refused") {
    if (method === "passkey") return refusedPasskey;
    return refused[purpose === "app" || purpose === "password" ? purpose : "page"];
  }
  return method === "passkey" ? withPasskey(accepted[purpose]) : accepted[purpose];
}

/** "Firefox on Linux", as far as it is known. */
export function describeBrowser({ browser, system }: BrowserName, language: Language): string {
  const { unknown, on } = TEXTS[language].browserName;
  const known = browser ?? unknown;
  return system === null ? known : on(known, system);
}

const en = {
  browserName: {
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: "Unknown browser",
  },
  signIns: {
    none: "There are no sign-ins yet. They appear here from now on.",
    accepted: {
      app: "Signed in to an app",
      page: "Signed in to this page",
      password: "Changed the password",
      invitation: "Created the account with an invitation",
      reset: "Used a reset link",
      "passkey-added": "Added a passkey",
      "passkey-removed": "Removed a passkey",
    },
    refused: {
      app: "Wrong name or password (app)",
      page: "Wrong name or password (this page)",
      password: "Wrong current password (when changing it)",
    },
    withPasskey: (what: string) => `${what} with a passkey`,
    refusedPasskey: "Passkey not accepted",
    newBrowser: "new browser",
    refusedTimes: (count: number) => (count === 1 ? "refused" : `refused ${count} times`),
    network: (network: Html) => html`from ${network}`,
  },
};

type Texts = typeof en;

const de: Texts = {
  browserName: {
    on: (browser, system) => `${browser} auf ${system}`,
    unknown: "Unbekannter Browser",
  },
  signIns: {
    none: "Es gibt noch keine Anmeldungen. Ab jetzt erscheinen sie hier.",
    accepted: {
      app: "In einer App angemeldet",
      page: "Auf dieser Seite angemeldet",
      password: "Passwort geändert",
      invitation: "Konto mit einer Einladung erstellt",
      reset: "Link zum Zurücksetzen verwendet",
      "passkey-added": "Passkey hinzugefügt",
      "passkey-removed": "Passkey entfernt",
    },
    refused: {
      app: "Name oder Passwort falsch (App)",
      page: "Name oder Passwort falsch (diese Seite)",
      password: "Aktuelles Passwort falsch (beim Ändern)",
    },
    withPasskey: (what) => `${what} (mit Passkey)`,
    refusedPasskey: "Passkey nicht angenommen",
    newBrowser: "neuer Browser",
    refusedTimes: (count) => (count === 1 ? "abgelehnt" : `${count}-mal abgelehnt`),
    network: (network) => html`von ${network}`,
  },
};

const TEXTS = { en, de };
