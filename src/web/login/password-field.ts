/** A password field with a button that reveals the password. */
import { findElement } from "../page-script.ts";
import { html, type Html } from "../html.ts";
import type { SignInMessages } from "./texts.ts";

export interface PasswordFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  /** Ids of further descriptions, besides its own error. */
  readonly describedBy?: string;
  readonly messages: SignInMessages;
}

/** Without a name: a browser that submits the form itself sends no password. */
export function passwordField(options: PasswordFieldOptions): Html {
  const { id, label, autocomplete, describedBy = "", messages } = options;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <div class="password">
      <input
        id="${id}"
        type="password"
        autocomplete="${autocomplete}"
        autocapitalize="none"
        autocorrect="off"
        spellcheck="false"
        required
        aria-describedby="${`${id}-error ${describedBy}`.trim()}"
      />
      <button
        class="reveal"
        id="${id}-reveal"
        type="button"
        aria-controls="${id}"
        aria-label="${messages.showPassword}"
      >
        ${messages.show}
      </button>
    </div>
    <p class="field-error" id="${id}-error"></p>
  </div>`;
}

export interface PasswordControl {
  readonly input: HTMLInputElement;
  hide(): void;
}

export function bindPasswordField(id: string, messages: SignInMessages): PasswordControl {
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
