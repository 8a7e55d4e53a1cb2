import { SIGN_IN_LINK_PATH } from "../../contract/sign-in-link.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { LOGIN_STYLE } from "../generated/login-style.ts";
import { SIGN_IN_LINK_SCRIPT } from "../generated/sign-in-link-script.ts";
import { html } from "../html.ts";
import { signInLinkContent } from "./content.ts";
import { SIGN_IN_LINK_TEXTS } from "./texts.ts";

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
