/** What the page of sign-in links shows: the button, and the two results, hidden until the script shows one. */
import { html, type Html } from "../html.ts";
import type { LinkPageData } from "../link-script.ts";
import { writePageData } from "../page-script.ts";
import { type SignInLinkMessages, type SignInLinkTexts, SIGN_IN_LINK_TEXTS } from "./texts.ts";
import { SIGN_IN_LINK_PATH } from "../../contract/sign-in-link.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { SIGN_IN_LINK_SCRIPT } from "../generated/sign-in-link-script.ts";

export interface SignInLinkData extends LinkPageData {
  readonly messages: SignInLinkMessages;
}

export interface SignInLinkContent {
  readonly displayName: string;
  readonly texts: SignInLinkTexts;
  readonly data: LinkPageData;
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
    ${resultCard("done", texts.done, done)}
    ${resultCard(
      "refused",
      texts.refused,
      html`<p class="lead">${texts.refusedDetail(html`<code>${command}</code>`)}</p>`,
    )}`;
}

/** What a link led to, which the script shows in place of the question. */
export function resultCard(id: string, title: string, content: Html): Html {
  return html`<div class="card done" id="${id}" hidden>
    <h1 id="${id}-title" tabindex="-1">${title}</h1>
    ${content}
  </div>`;
}

/** The page of the sync service, whose sign-in page for apps has the same origin, and so the same storage. */
export function renderSyncLinkPage(frame: DocumentFrame): string {
  const texts = SIGN_IN_LINK_TEXTS[frame.language];
  const main = signInLinkContent({
    displayName: frame.displayName,
    texts,
    data: { endpoint: SIGN_IN_LINK_PATH, knownBrowserPlace: "storage" },
    command: "trellis sync sign-in-link",
    done: html`<p class="lead">${texts.doneSync}</p>`,
  });
  return renderLinkDocument(frame, texts.title, SIGN_IN_LINK_SCRIPT, main);
}

/** A page of the sync service that a link opens. */
export function renderLinkDocument(
  frame: DocumentFrame,
  title: string,
  script: string,
  main: Html,
): string {
  return renderDocument(frame, {
    title: `${title} · ${frame.displayName}`,
    script,
    referrer: "no-referrer",
    main: html`<div class="narrow">${main}</div>`,
  });
}
