import type { ErrorView, PageErrorCode } from "../../contract/events/page-views.ts";
import { errorCard, NOT_FOUND_TEXTS, type ErrorTexts } from "../error-card.ts";
import { html } from "../html.ts";
import { formatWait } from "../login/countdown.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "./frame.ts";

export function renderErrorPage(view: ErrorView, frame: EventsFrame): string {
  const { code, retryAfterSeconds } = view;
  const texts = ERROR_TEXTS[frame.language];
  const main = errorCard(
    texts.errors[code],
    view,
    frame.language,
    html`${
        retryAfterSeconds !== null &&
        html`<p class="lead">
          <strong>${texts.waitFor(formatWait(retryAfterSeconds, frame.language))}</strong>
        </p>`
      }
      <p class="after">
        <a class="button" href="${PATHS.home}">${NOT_FOUND_TEXTS[frame.language].home}</a>
      </p>`,
  );
  return renderEventsPage(frame, { title: texts.errors[code].title, navigation: "home", main });
}

const en = {
  waitFor: (time: string) => `Please try again in ${time}.`,
  errors: {
    "unknown-client": {
      title: "Unknown app",
      detail:
        "The app that sent you here is not registered with this service. No app was given access. If you want to use the app, ask the operator of this service to register it.",
    },
    "unregistered-redirect": {
      title: "Invalid redirect address",
      detail:
        "The app requested a redirect to an address that is not registered for it, so the authorization was cancelled. No app was given access. Please inform the developer of the app.",
    },
    "interaction-gone": {
      title: "This request has expired",
      detail:
        "It was open for too long, or it was completed in another tab. Please return to the app and start again.",
    },
    "csrf-failed": {
      title: "This form has expired",
      detail:
        "Its page is too old, or the form came from another site. Nothing was changed. Please go back, reload the page and try again.",
    },
    "not-found": NOT_FOUND_TEXTS.en,
    "method-not-allowed": {
      title: "Method not allowed",
      detail: "This address cannot be used in this way. Please go to the start page.",
    },
    "malformed-request": {
      title: "Invalid request",
      detail: "A parameter is missing or invalid. Please go back and try again.",
    },
    "too-many-requests": {
      title: "Too many requests",
      detail: "Your connection sent too many requests in a short time.",
    },
    unavailable: {
      title: "Service unavailable",
      detail:
        "The service is overloaded or under maintenance. No data is lost. Please reload this page in a moment.",
    },
    unexpected: {
      title: "Internal error",
      detail: "Something went wrong in the service. Please try again in a moment.",
    },
  } satisfies Record<PageErrorCode, ErrorTexts>,
};

const de: typeof en = {
  waitFor: (time) => `Bitte versuche es in ${time} noch einmal.`,
  errors: {
    "unknown-client": {
      title: "Unbekannte App",
      detail:
        "Die App, von der du kommst, ist bei diesem Dienst nicht registriert. Keine App hat Zugriff erhalten. Wenn du die App nutzen möchtest, bitte den Betreiber dieses Dienstes, sie zu registrieren.",
    },
    "unregistered-redirect": {
      title: "Ungültige Weiterleitungsadresse",
      detail:
        "Die App wollte dich an eine Adresse weiterleiten, die nicht für sie registriert ist, deshalb wurde die Autorisierung abgebrochen. Keine App hat Zugriff erhalten. Bitte informiere den Entwickler der App.",
    },
    "interaction-gone": {
      title: "Diese Anfrage ist abgelaufen",
      detail:
        "Sie war zu lange offen, oder sie wurde in einem anderen Tab abgeschlossen. Bitte kehre zur App zurück und beginne noch einmal.",
    },
    "csrf-failed": {
      title: "Dieses Formular ist abgelaufen",
      detail:
        "Seine Seite ist zu alt, oder das Formular kam von einer anderen Website. Es wurde nichts geändert. Bitte geh zurück, lade die Seite neu und versuche es noch einmal.",
    },
    "not-found": NOT_FOUND_TEXTS.de,
    "method-not-allowed": {
      title: "Methode nicht erlaubt",
      detail: "Diese Adresse lässt sich so nicht verwenden. Bitte geh zur Startseite.",
    },
    "malformed-request": {
      title: "Ungültige Anfrage",
      detail:
        "Ein Parameter fehlt oder ist ungültig. Bitte geh zurück und versuche es noch einmal.",
    },
    "too-many-requests": {
      title: "Zu viele Anfragen",
      detail: "Deine Verbindung hat in kurzer Zeit zu viele Anfragen gesendet.",
    },
    unavailable: {
      title: "Dienst nicht verfügbar",
      detail:
        "Der Dienst ist überlastet oder wird gewartet. Es gehen keine Daten verloren. Bitte lade diese Seite gleich neu.",
    },
    unexpected: {
      title: "Interner Fehler",
      detail: "Im Dienst ist ein Fehler aufgetreten. Bitte versuche es gleich noch einmal.",
    },
  },
};

export const ERROR_TEXTS = { en, de };
