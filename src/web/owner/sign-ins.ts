/** Recent sign-ins, and what was refused. */
import type { SignInItem } from "../../contract/identity.ts";
import { html, type Html } from "../html.ts";
import { lineList } from "../line-list.ts";
import { moment } from "../moments.ts";
import { describeBrowser } from "./describe-browser.ts";
import type { OwnerPage } from "./owner-page.ts";
import type { OwnerTexts } from "./texts.ts";

export function signIns(page: OwnerPage): Html {
  const { view, texts } = page;
  const own = texts.signIns;
  const items = view.signIns.map((item) => signInLine(item, page));
  if (items.length === 0) return html`<p class="panel entry">${own.none}</p>`;
  return lineList("history", [], items, page.clock.language);
}

function signInLine(item: SignInItem, { texts, clock }: OwnerPage): Html {
  const own = texts.signIns;
  const { result, isNew, tries, network, at } = item;
  const isRefused = result === "refused";
  const badge = isRefused ? own.refusedTimes(tries) : isNew && own.newBrowser;
  return html`<li class="line${isRefused && " refused"}">
    <p>
      <strong>${describe(item, own)}</strong>
      ${badge !== false && html`<span class="badge${!isRefused && " marked"}">${badge}</span>`}
    </p>
    <p class="meta">${describeBrowser(item, texts.browserName)}</p>
    <p class="meta">${network !== null && own.network(html`<code>${network}</code>`)}</p>
    <p class="meta">${moment(at, clock, "short")}</p>
  </li>`;
}

function describe(
  { result, purpose, method }: SignInItem,
  { accepted, refused, withPasskey, refusedPasskey }: OwnerTexts["signIns"],
): string {
  if (result === "refused") {
    if (method === "passkey") return refusedPasskey;
    return refused[purpose === "app" || purpose === "password" ? purpose : "page"];
  }
  return method === "passkey" ? withPasskey(accepted[purpose]) : accepted[purpose];
}
