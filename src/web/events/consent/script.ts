/** The script of the consent page. Bundled into src/web/generated. The form works without it. */
import { explainError } from "../../login/explain-error.ts";
import { postForm } from "../../login/post.ts";
import { showDone } from "../../login/return-to-app.ts";
import { findElement, readPageData } from "../../page-script.ts";
import { setLanguageCookie } from "../language-cookie.ts";
import type { ConsentData } from "./page.ts";

function startConsent(data: ConsentData): void {
  const view = createView(data.messages);
  view.form.addEventListener("submit", (event) => {
    if (view.isBusy()) {
      event.preventDefault();
      return;
    }
    view.begin();
    if (data.delivery === "http") return;
    event.preventDefault();
    const { submitter } = event;
    void decide(data, view, submitter instanceof HTMLButtonElement ? submitter.value : "deny");
  });

  // A page from the back/forward cache would show a decision that is used up.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}

type View = ReturnType<typeof createView>;

function createView(messages: ConsentData["messages"]) {
  const form = findElement(HTMLFormElement, "decision");
  const status = findElement(HTMLElement, "status");
  const error = findElement(HTMLElement, "error");
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
  return {
    form,
    isBusy: () => isBusy,
    begin(): void {
      error.hidden = true;
      showBusy(true);
    },
    showError(text: string): void {
      showBusy(false);
      error.hidden = false;
      error.textContent = text;
      error.focus();
    },
  };
}

/** A private-use scheme leaves the browser on this page, which then shows how to go on. */
async function decide(
  { redirectUri, messages }: ConsentData,
  { form, showError }: View,
  action: string,
): Promise<void> {
  const members = Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  // `form.action` would be the buttons of that name.
  const response = await postForm(form.getAttribute("action") ?? "", { ...members, action });
  switch (response.kind) {
    case "json":
      break;
    // Signed out in another tab: the page redirects to the sign-in and back.
    case "unauthorized":
      return location.reload();
    case "unexpected":
      return showError(`${messages.unexpected} (${response.reference})`);
    default:
      return showError(explainError(response, messages));
  }
  const target = response.body["redirectUri"];
  // The script leads only to the address that the page shows.
  if (typeof target !== "string" || !target.startsWith(redirectUri)) {
    return showError(messages.unexpected);
  }
  showDone("consent", target, action === "allow" ? "allowed" : "denied");
  location.href = target;
}

setLanguageCookie();
const data = readPageData<ConsentData>("decision", "consent");
if (data !== null) startConsent(data);
