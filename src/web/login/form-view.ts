/** A form that proves a password, as its script sees it: one method for each thing that can happen. */
import { findElement } from "../find-element.ts";
import type { RevealMessages } from "./login-data.ts";
import { bindPasswordField, type PasswordControl } from "./password-field.ts";

/** The fields by their ids, in reading order. */
export type FormFields<Id extends string> = Readonly<
  Record<Id, { readonly kind: "text" | "password"; readonly missing: string }>
>;

export type Typed<Id extends string> = Readonly<Record<Id, string>>;

export interface FormView<Id extends string> {
  readonly form: HTMLFormElement;
  showForm(): void;
  showInsecure(): void;
  /** What was typed, or null after telling what is missing. */
  readTyped(): Typed<Id> | null;
  showFieldError(id: Id, message: string): void;
  showBusy(message: string): void;
  showIdle(): void;
  clearPasswords(): void;
  showError(message: string, detail?: string): void;
  /** Blocks the button while there is a text, and lets go with null. */
  showCountdown(text: string | null): void;
  announce(message: string): void;
  focusError(): void;
}

export function createFormView<Id extends string>(
  formId: string,
  fields: FormFields<Id>,
  messages: RevealMessages,
): FormView<Id> {
  const form = findElement(HTMLFormElement, formId);
  const submit = findElement(HTMLElement, "submit");
  const status = findElement(HTMLElement, "status");
  const problem = findElement(HTMLElement, "problem");
  const errorText = findElement(HTMLElement, "problem-text");
  const errorDetail = findElement(HTMLElement, "problem-detail");
  const countdown = findElement(HTMLElement, "countdown");
  const ids = Object.keys(fields) as Id[];
  const passwords: readonly PasswordControl[] = ids
    .filter((id) => fields[id].kind === "password")
    .map((id) => bindPasswordField(id, messages));
  const inputOf = (id: Id) => findElement(HTMLInputElement, id);

  const markField = (id: Id, message: string) => {
    findElement(HTMLElement, `${id}-problem`).textContent = message;
    if (message === "") inputOf(id).removeAttribute("aria-invalid");
    else inputOf(id).setAttribute("aria-invalid", "true");
  };
  const hideError = () => {
    problem.hidden = true;
    errorText.textContent = "";
    errorDetail.textContent = "";
  };

  return {
    form,
    showForm: () => {
      findElement(HTMLElement, "needs-script").hidden = true;
      form.hidden = false;
    },
    showInsecure: () => {
      findElement(HTMLElement, "needs-script").hidden = true;
      findElement(HTMLElement, "insecure").hidden = false;
    },
    readTyped: () => {
      hideError();
      const missing = ids.filter((id) => inputOf(id).value === "");
      for (const id of ids) markField(id, missing.includes(id) ? fields[id].missing : "");
      const [first] = missing;
      if (first !== undefined) inputOf(first).focus();
      const typed = Object.fromEntries(ids.map((id) => [id, inputOf(id).value])) as Typed<Id>;
      return first === undefined ? typed : null;
    },
    showFieldError: (id, message) => {
      markField(id, message);
      inputOf(id).focus();
    },
    showBusy: (message) => {
      // A browser may remember what stands in a plain text field.
      for (const password of passwords) password.hide();
      form.classList.add("busy");
      submit.setAttribute("aria-disabled", "true");
      status.textContent = message;
    },
    showIdle: () => {
      form.classList.remove("busy");
      submit.removeAttribute("aria-disabled");
      status.textContent = "";
    },
    clearPasswords: () => {
      for (const { input } of passwords) input.value = "";
    },
    showError: (message, detail = "") => {
      problem.hidden = false;
      errorText.textContent = message;
      errorDetail.textContent = detail;
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
        const empty = passwords.find(({ input }) => input.value === "");
        (empty?.input ?? submit).focus();
      }
      submit.removeAttribute("aria-disabled");
      hideError();
    },
    announce: (message) => {
      status.textContent = message;
    },
    focusError: () => problem.focus(),
  };
}
