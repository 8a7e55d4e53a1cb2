/** What the page of sign-in links shows: the button, and the two results, hidden until the script shows one. */
import { html, type Html } from "../html.ts";
import type { KnownBrowserPlace } from "../login/proof-requests.ts";
import { writePageData } from "../page-script.ts";
import { type SignInLinkMessages, type SignInLinkTexts, SIGN_IN_LINK_TEXTS } from "./texts.ts";
import { SIGN_IN_LINK_PATH } from "../../contract/sign-in-link.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { LOGIN_STYLE } from "../generated/login-style.ts";
import { SIGN_IN_LINK_SCRIPT } from "../generated/sign-in-link-script.ts";

export interface SignInLinkData {
  readonly endpoint: string;
  readonly knownBrowserPlace: KnownBrowserPlace;
  readonly messages: SignInLinkMessages;
}

export interface SignInLinkContent {
  readonly displayName: string;
  readonly texts: SignInLinkTexts;
  readonly data: Omit<SignInLinkData, "messages">;
  /** The command that makes a link. */
  readonly command: string;
  readonly done: Html;
}

export function signInLinkContent(content: SignInLinkContent): Html {
  const { displayName, texts, command, done } = content;
  const data: SignInLinkData = { ...content.data, messages: texts.messages };
  return html`<div class="card" id="ask">
      <h1>${texts.title}</h1>
      <p class="lead">${texts.lead(html`<strong>${displayName}</strong>`)}</p>
      <div class="explanation" id="needs-script">
        <h2>${texts.needsScript}</h2>
        <p>${texts.needsScriptDetail}</p>
      </div>
      <form class="fields" id="link" hidden data-link="${writePageData(data)}">
        <div class="error" id="error" tabindex="-1" role="alert" hidden></div>
        <p>${texts.hint}</p>
        <button class="button primary large" id="submit" type="submit">${texts.submit}</button>
        <p class="status fine" id="status" role="status"></p>
      </form>
    </div>
    <div class="card done" id="done" hidden>
      <h1 id="done-title" tabindex="-1">${texts.done}</h1>
      ${done}
    </div>
    <div class="card" id="refused" hidden>
      <h1 id="refused-title" tabindex="-1">${texts.refused}</h1>
      <p class="lead">${texts.refusedDetail(html`<code>${command}</code>`)}</p>
    </div>`;
}

/** The page of the sync service, whose sign-in page for apps has the same origin, and so the same storage. */
export function renderSyncLinkPage(frame: DocumentFrame): string {
  const texts = SIGN_IN_LINK_TEXTS[frame.language];
  const { displayName } = frame;
  return renderDocument(frame, {
    title: `${texts.title} · ${displayName}`,
    style: LOGIN_STYLE,
    script: SIGN_IN_LINK_SCRIPT,
    referrer: "no-referrer",
    main: signInLinkContent({
      displayName,
      texts,
      data: { endpoint: SIGN_IN_LINK_PATH, knownBrowserPlace: "storage" },
      command: "trellis sync sign-in-link",
      done: html`<p class="lead">${texts.doneSync}</p>`,
    }),
  });
}
