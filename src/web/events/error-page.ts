import type { ErrorView, PageErrorCode } from "../../contract/events/page-views.ts";
import { html } from "../html.ts";
import { formatWait } from "../login/countdown.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "./frame.ts";

export function renderErrorPage(view: ErrorView, frame: EventsFrame): string {
  const { status, code, retryAfterSeconds, requestId } = view;
  const texts = ERROR_TEXTS[frame.language];
  const { title, detail } = texts.errors[code];
  const main = html`<div class="narrow">
    <div class="card">
      <h1>${title}</h1>
      <p class="lead">${detail}</p>
      ${
        retryAfterSeconds !== null &&
        html`<p class="lead">
          <strong>${texts.waitFor(formatWait(retryAfterSeconds, frame.language))}</strong>
        </p>`
      }
      <p class="after"><a class="button" href="${PATHS.home}">${texts.home}</a></p>
      <p class="return">
        ${texts.reference} <code>${status} ${code}</code> <code>${requestId}</code>
      </p>
    </div>
  </div>`;
  return renderEventsPage(frame, { title, navigation: "home", main });
}

const en = {
  waitFor: (time: string) => `Please try again in ${time}.`,
  home: "To the start page",
  reference: "For support",
  errors: {
    "unknown-client": {
      title: "This app is not known here",
      detail:
        "An app sent you here that this service does not know. You were not connected to anything. If you use the app knowingly, ask whoever runs this service to add it.",
    },
    "unregistered-redirect": {
      title: "This app would send you somewhere else",
      detail:
        "The app asked to send you to an address that is not registered for it, so everything was stopped here. You were not connected to anything. Please tell the maker of the app.",
    },
    "interaction-gone": {
      title: "This request is over",
      detail:
        "It was open for too long, or it was finished in another tab. Please go back to the app and start again.",
    },
    "csrf-failed": {
      title: "This form can no longer be sent",
      detail:
        "The page it came from is too old, or it came from another site. Nothing was changed. Please go back, load the page again and repeat what you did.",
    },
    "not-found": {
      title: "There is nothing here",
      detail: "The address is wrong, or what was here is gone.",
    },
    "method-not-allowed": {
      title: "That is not possible here",
      detail: "This address cannot be used in this way. Please begin at the start page.",
    },
    "malformed-request": {
      title: "This request cannot be understood",
      detail: "Something in it is missing or wrong. Please go back and try again.",
    },
    "too-many-requests": {
      title: "A little too fast",
      detail: "There were too many requests from your connection in a short time.",
    },
    unavailable: {
      title: "Not possible right now",
      detail:
        "The service is busy or being worked on. Nothing is lost. Please load this page again in a moment.",
    },
    unexpected: {
      title: "That went wrong",
      detail: "The fault is ours, not yours. Please try again in a moment.",
    },
  } satisfies Record<PageErrorCode, { readonly title: string; readonly detail: string }>,
};

const de: typeof en = {
  waitFor: (time) => `Bitte versuche es in ${time} wieder.`,
  home: "Zur Startseite",
  reference: "Für den Support",
  errors: {
    "unknown-client": {
      title: "Diese App ist hier nicht bekannt",
      detail:
        "Eine App hat dich hergeschickt, die dieser Dienst nicht kennt. Es wurde nichts verbunden. Wenn du die App bewusst nutzt, bitte den Betreiber dieses Dienstes, sie einzutragen.",
    },
    "unregistered-redirect": {
      title: "Diese App würde dich woandershin schicken",
      detail:
        "Die App wollte dich zu einer Adresse schicken, die für sie nicht eingetragen ist, darum ging es hier nicht weiter. Es wurde nichts verbunden. Bitte sage es dem Hersteller der App.",
    },
    "interaction-gone": {
      title: "Diese Anfrage ist vorbei",
      detail:
        "Sie war zu lange offen, oder sie wurde in einem anderen Tab beendet. Bitte geh zurück zur App und beginne neu.",
    },
    "csrf-failed": {
      title: "Dieses Formular lässt sich nicht mehr senden",
      detail:
        "Die Seite, von der es kam, ist zu alt, oder es kam von einer anderen Website. Es wurde nichts geändert. Bitte geh zurück, lade die Seite neu und wiederhole, was du getan hast.",
    },
    "not-found": {
      title: "Hier ist nichts",
      detail: "Die Adresse ist falsch, oder was hier war, ist weg.",
    },
    "method-not-allowed": {
      title: "Das geht hier nicht",
      detail: "Diese Adresse lässt sich so nicht benutzen. Bitte beginne auf der Startseite.",
    },
    "malformed-request": {
      title: "Diese Anfrage ist nicht zu verstehen",
      detail: "Etwas darin fehlt oder ist falsch. Bitte geh zurück und versuche es noch einmal.",
    },
    "too-many-requests": {
      title: "Etwas zu schnell",
      detail: "Von deiner Verbindung kamen in kurzer Zeit zu viele Anfragen.",
    },
    unavailable: {
      title: "Gerade nicht möglich",
      detail:
        "Der Dienst ist überlastet oder wird gewartet. Es geht nichts verloren. Bitte lade diese Seite gleich noch einmal.",
    },
    unexpected: {
      title: "Das ging schief",
      detail: "Der Fehler liegt bei uns, nicht bei dir. Bitte versuche es gleich noch einmal.",
    },
  },
};

export const ERROR_TEXTS = { en, de };
