/** The script of the page of sign-in links. Bundled into src/web/generated. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type { SignInLinkBody } from "../../contract/sign-in-link.ts";
import { explainError } from "../login/explain-error.ts";
import { readKnownBrowser, writeKnownBrowser } from "../login/proof-requests.ts";
import { postJson } from "../login/post.ts";
import { findElement, readPageData } from "../page-script.ts";
import type { SignInLinkData } from "./content.ts";

const data = readPageData<SignInLinkData>("link", "link");
if (data !== null) start(data, location.hash.slice(1));

function start({ endpoint, knownBrowserPlace, messages }: SignInLinkData, link: string): void {
  const isInStorage = knownBrowserPlace === "storage";
  const form = findElement(HTMLFormElement, "link");
  const submit = findElement(HTMLElement, "submit");
  const status = findElement(HTMLElement, "status");
  const error = findElement(HTMLElement, "error");
  if (link === "") {
    showResult("refused");
    return;
  }
  findElement(HTMLElement, "needs-script").hidden = true;
  form.hidden = false;
  // The other language is another page, to which the link has to come along.
  for (const other of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]")) {
    other.hash = link;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.classList.contains("busy")) return;
    error.hidden = true;
    setBusy(true);
    void redeem().finally(() => setBusy(false));
  });

  function setBusy(isBusy: boolean): void {
    form.classList.toggle("busy", isBusy);
    submit.setAttribute("aria-disabled", String(isBusy));
    status.textContent = isBusy ? messages.contacting : "";
  }

  async function redeem(): Promise<void> {
    const known = isInStorage ? readKnownBrowser() : null;
    const headers = known === null ? {} : { [KNOWN_BROWSER_HEADER]: known };
    const body: SignInLinkBody = { link };
    const response = await postJson(endpoint, body, { credentials: "same-origin", headers });
    if (response.kind === "json") {
      const value = response.header(KNOWN_BROWSER_HEADER);
      if (isInStorage && value !== null) writeKnownBrowser(value);
      showResult("done");
    } else if (response.kind === "unauthorized") {
      showResult("refused");
    } else {
      error.textContent = explainError(response, messages);
      error.hidden = false;
      error.focus();
    }
  }
}

/** The link is used up or never was one, so it leaves the history of the browser. */
function showResult(id: "done" | "refused"): void {
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  findElement(HTMLElement, "ask").hidden = true;
  findElement(HTMLElement, id).hidden = false;
  findElement(HTMLElement, `${id}-title`).focus();
}
