/** The script of the page of sign-in links. Bundled into src/web/generated. */
import type { SignInLinkBody } from "../../contract/sign-in-link.ts";
import { postLink, readLink, showResult } from "../link-script.ts";
import { explainError } from "../login/explain-error.ts";
import { findElement, readPageData } from "../page-script.ts";
import type { SignInLinkData } from "./content.ts";

const data = readPageData<SignInLinkData>("link", "link");
if (data !== null) start(data, readLink());

function start(page: SignInLinkData, link: string): void {
  const { messages } = page;
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
    const body: SignInLinkBody = { link };
    const response = await postLink(page, body);
    if (response.kind === "json") {
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
