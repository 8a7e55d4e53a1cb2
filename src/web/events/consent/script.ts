/** The script of the consent page. Bundled into src/web/generated. Without it the form works too. */
import { findElement } from "../../find-element.ts";
import { showDone } from "../../login/done.ts";
import { postForm, type RequestError } from "../../login/post.ts";
import { readPageData } from "../../page-data.ts";
import { rememberLanguage } from "../remember-language.ts";
import type { ConsentData, ConsentMessages } from "./consent-data.ts";

function startConsent({ redirectUri, delivery, messages }: ConsentData): void {
  const form = findElement(HTMLFormElement, "decision");
  const status = findElement(HTMLElement, "status");
  const problem = findElement(HTMLElement, "problem");
  const buttons = [...form.querySelectorAll<HTMLButtonElement>("button")];
  let isBusy = false;

  const showBusy = (busy: boolean) => {
    isBusy = busy;
    status.textContent = busy ? messages.working : "";
    form.classList.toggle("busy", busy);
    for (const button of buttons) {
      if (busy) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    }
  };
  const showError = (text: string) => {
    showBusy(false);
    problem.hidden = false;
    problem.textContent = text;
    problem.focus();
  };

  /** The browser stays on this page when an app opens, so the page says how to go on. */
  const decide = async (action: string) => {
    const members = Object.fromEntries(
      [...new FormData(form)].flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value]] : [],
      ),
    );
    // Not `form.action`: that would be the buttons of this name.
    const answer = await postForm(form.getAttribute("action") ?? "", { ...members, action });
    if ("kind" in answer) {
      // Signed out meanwhile: this page leads to the sign-in, and that leads back here.
      if (answer.kind === "refused") return location.reload();
      return showError(describe(answer, messages));
    }
    const target = answer.body["redirectUri"];
    // What was shown is where it goes, and nowhere else.
    if (typeof target !== "string" || !target.startsWith(redirectUri)) {
      return showError(messages.unanswered);
    }
    showDone("consent", target, action === "allow" ? "allowed" : "denied");
    location.href = target;
  };

  form.addEventListener("submit", (event) => {
    if (isBusy) {
      event.preventDefault();
      return;
    }
    problem.hidden = true;
    showBusy(true);
    if (delivery === "http") return;
    event.preventDefault();
    const { submitter } = event;
    void decide(submitter instanceof HTMLButtonElement ? submitter.value : "deny");
  });

  // The decision is used up: whoever comes back is told so by the server.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}

function describe(
  problem: Exclude<RequestError, { readonly kind: "refused" }>,
  messages: ConsentMessages,
): string {
  switch (problem.kind) {
    case "throttled":
      return messages.throttled;
    case "offline":
      return messages.offline;
    case "outdated":
      return messages.outdated;
    case "unanswered":
      return `${messages.unanswered} (${problem.reference})`;
  }
}

rememberLanguage();
const data = readPageData<ConsentData>("decision", "consent");
if (data !== null) startConsent(data);
