/** The elements of a form that proves a password. */
import { findElement } from "../page-script.ts";
import type { SignInMessages } from "./texts.ts";

/** The fields by their ids, in reading order. */
export type FormFields<Id extends string> = Readonly<
  Record<Id, { readonly kind: "text" | "password"; readonly missing: string }>
>;

export type FormValues<Id extends string> = Readonly<Record<Id, string>>;

export type FormView<Id extends string> = ReturnType<typeof createFormView<Id>>;

export function createFormView<Id extends string>(
  formId: string,
  fields: FormFields<Id>,
  messages: SignInMessages,
) {
  const form = findElement(HTMLFormElement, formId);
  const submit = findElement(HTMLElement, "submit");
  const status = findElement(HTMLElement, "status");
  const countdown = findElement(HTMLElement, "countdown");
  const error = bindError();
  const { passwords, ...inputs } = bindInputs(fields, messages);
  return {
    form,
    ...createNotices(form),
    /** Null after marking the fields that are empty. */
    readValues(): FormValues<Id> | null {
      error.hide();
      return inputs.read();
    },
    showFieldError: inputs.showError,
    showBusy(message: string) {
      // A browser may store the value of a text field.
      for (const password of passwords) password.hide();
      form.classList.add("busy");
      submit.setAttribute("aria-disabled", "true");
      status.textContent = message;
    },
    showIdle() {
      form.classList.remove("busy");
      submit.removeAttribute("aria-disabled");
      status.textContent = "";
    },
    clearPasswords() {
      for (const { input } of passwords) input.value = "";
    },
    showError: error.show,
    hideError: error.hide,
    /** Disables the button until it is called with null. */
    showCountdown(text: string | null) {
      countdown.hidden = text === null;
      countdown.textContent = text ?? "";
      if (text !== null) {
        submit.setAttribute("aria-disabled", "true");
        return;
      }
      // The focus moves on only from the error, never out of a field.
      if (error.hasFocus()) {
        const empty = passwords.find(({ input }) => input.value === "");
        (empty?.input ?? submit).focus();
      }
      submit.removeAttribute("aria-disabled");
      error.hide();
    },
    announce(message: string) {
      status.textContent = message;
    },
    focusError: error.focus,
  };
}

/** What the page shows in place of the hint that it needs a script. */
function createNotices(form: HTMLElement) {
  const show = (element: HTMLElement) => {
    findElement(HTMLElement, "needs-script").hidden = true;
    element.hidden = false;
  };
  return {
    showForm: () => show(form),
    showNoCookies: () => show(findElement(HTMLElement, "no-cookies")),
    showInsecure: () => show(findElement(HTMLElement, "insecure")),
    /** The script sets the link, so that the page itself links to no absolute address. */
    showOtherAddress(ownAddress: string) {
      findElement(HTMLAnchorElement, "own-address").href = ownAddress;
      show(findElement(HTMLElement, "other-address"));
    },
  };
}

function bindInputs<Id extends string>(fields: FormFields<Id>, messages: SignInMessages) {
  const ids = Object.keys(fields) as Id[];
  const inputOf = (id: Id) => findElement(HTMLInputElement, id);
  const mark = (id: Id, message: string) => {
    findElement(HTMLElement, `${id}-error`).textContent = message;
    if (message === "") inputOf(id).removeAttribute("aria-invalid");
    else inputOf(id).setAttribute("aria-invalid", "true");
  };
  return {
    passwords: ids
      .filter((id) => fields[id].kind === "password")
      .map((id) => bindPasswordField(id, messages)),
    read(): FormValues<Id> | null {
      const missing = ids.filter((id) => inputOf(id).value === "");
      for (const id of ids) mark(id, missing.includes(id) ? fields[id].missing : "");
      const [first] = missing;
      if (first !== undefined) {
        inputOf(first).focus();
        return null;
      }
      return Object.fromEntries(ids.map((id) => [id, inputOf(id).value])) as FormValues<Id>;
    },
    showError(id: Id, message: string) {
      mark(id, message);
      inputOf(id).focus();
    },
  };
}

function bindError() {
  const error = findElement(HTMLElement, "error");
  const text = findElement(HTMLElement, "error-text");
  const detail = findElement(HTMLElement, "error-detail");
  return {
    show(message: string, further = "") {
      error.hidden = false;
      text.textContent = message;
      detail.textContent = further;
      error.focus();
    },
    hide() {
      error.hidden = true;
      text.textContent = "";
      detail.textContent = "";
    },
    hasFocus: () => error.contains(document.activeElement),
    focus: () => error.focus(),
  };
}

/** The button that reveals a password. */
function bindPasswordField(id: string, messages: SignInMessages) {
  const input = findElement(HTMLInputElement, id);
  const button = findElement(HTMLElement, `${id}-reveal`);
  const reveal = (shown: boolean) => {
    input.type = shown ? "text" : "password";
    button.textContent = shown ? messages.hide : messages.show;
    button.setAttribute("aria-label", shown ? messages.hidePassword : messages.showPassword);
  };
  button.addEventListener("click", () => reveal(input.type === "password"));
  return { input, hide: () => reveal(false) };
}
