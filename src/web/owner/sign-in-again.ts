import { hiddenFields } from "../forms.ts";
import { html, type Html } from "../html.ts";
import type { OwnerPage } from "./owner-page.ts";

/** What needs a recent sign-in offers one. */
export function signInAgain({ view, texts, action }: OwnerPage): Html {
  return html`<form class="after" method="post" action="${action}">
    ${hiddenFields({ csrf: view.csrf, action: "sign-in-again" })}
    <p class="meta">${texts.notFresh}</p>
    <button class="quiet" type="submit">${texts.signInAgain}</button>
  </form>`;
}
