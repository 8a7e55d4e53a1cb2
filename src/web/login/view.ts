/** The page as its script sees it: one method for each thing that can happen. */
import type { LoginMessages } from "./login-data.ts";

export interface Typed {
  readonly username: string;
  readonly password: string;
}

export interface LoginView {
  readonly form: HTMLFormElement;
  showForm(): void;
  showInsecure(): void;
  /** What was typed, or null after telling what is missing. */
  readTyped(): Typed | null;
  showBusy(message: string): void;
  showIdle(): void;
  clearPassword(): void;
  showProblem(message: string, detail?: string): void;
  /** Blocks the button while there is a text, and lets go with null. */
  showCountdown(text: string | null): void;
  announce(message: string): void;
  focusProblem(): void;
  showDone(target: string): void;
}

export function createView(messages: LoginMessages): LoginView {
  const form = find(HTMLFormElement, "login");
  const username = find(HTMLInputElement, "username");
  const password = find(HTMLInputElement, "password");
  const reveal = find(HTMLElement, "reveal");
  const submit = find(HTMLElement, "submit");
  const status = find(HTMLElement, "status");
  const problem = find(HTMLElement, "problem");
  const countdown = find(HTMLElement, "countdown");
  const fields = [
    [username, find(HTMLElement, "username-problem"), messages.usernameMissing],
    [password, find(HTMLElement, "password-problem"), messages.passwordMissing],
  ] as const;

  const revealPassword = (shown: boolean) => {
    password.type = shown ? "text" : "password";
    reveal.textContent = shown ? messages.hide : messages.show;
    reveal.setAttribute("aria-label", shown ? messages.hidePassword : messages.showPassword);
  };
  reveal.addEventListener("click", () => revealPassword(password.type === "password"));

  const hideProblem = () => {
    problem.hidden = true;
    find(HTMLElement, "problem-text").textContent = "";
    find(HTMLElement, "problem-detail").textContent = "";
  };

  return {
    form,
    showForm: () => {
      find(HTMLElement, "needs-script").hidden = true;
      form.hidden = false;
    },
    showInsecure: () => {
      find(HTMLElement, "needs-script").hidden = true;
      find(HTMLElement, "insecure").hidden = false;
    },
    readTyped: () => {
      hideProblem();
      let firstMissing: HTMLInputElement | null = null;
      for (const [field, note, message] of fields) {
        const missing = field.value === "";
        note.textContent = missing ? message : "";
        if (missing) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
        if (missing) firstMissing ??= field;
      }
      firstMissing?.focus();
      return firstMissing === null ? { username: username.value, password: password.value } : null;
    },
    showBusy: (message) => {
      // A browser may remember what stands in a plain text field.
      revealPassword(false);
      form.classList.add("busy");
      submit.setAttribute("aria-disabled", "true");
      status.textContent = message;
    },
    showIdle: () => {
      form.classList.remove("busy");
      submit.removeAttribute("aria-disabled");
      status.textContent = "";
    },
    clearPassword: () => {
      password.value = "";
    },
    showProblem: (message, detail = "") => {
      problem.hidden = false;
      find(HTMLElement, "problem-text").textContent = message;
      find(HTMLElement, "problem-detail").textContent = detail;
      problem.focus();
    },
    showCountdown: (text) => {
      countdown.hidden = text === null;
      countdown.textContent = text ?? "";
      if (text !== null) {
        submit.setAttribute("aria-disabled", "true");
        return;
      }
      // Whoever waited at the message goes on to what is next; nobody is torn from a field.
      if (problem.contains(document.activeElement)) {
        (password.value === "" ? password : submit).focus();
      }
      submit.removeAttribute("aria-disabled");
      hideProblem();
    },
    announce: (message) => {
      status.textContent = message;
    },
    focusProblem: () => problem.focus(),
    showDone: (target) => {
      find(HTMLElement, "sign-in").hidden = true;
      find(HTMLElement, "done").hidden = false;
      find(HTMLAnchorElement, "back").href = target;
      find(HTMLElement, "done-title").focus();
    },
  };
}

function find<E extends HTMLElement>(type: new () => E, id: string): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no "${id}"`);
  return element;
}
