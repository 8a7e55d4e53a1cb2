/** A field for a password, with a button that shows what was typed. */
import { findElement } from "../find-element.ts";
import { html, type Html } from "../html.ts";
import type { RevealMessages } from "./login-data.ts";

export interface PasswordFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  /** Ids of what explains the field, beside its own problem. */
  readonly describedBy?: string;
  readonly messages: RevealMessages;
}

/** It has no name: even a browser that submits the form by itself would send nothing. */
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
        aria-describedby="${`${id}-problem ${describedBy}`.trim()}"
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
    <p class="field-problem" id="${id}-problem"></p>
  </div>`;
}

export interface PasswordControl {
  readonly input: HTMLInputElement;
  hide(): void;
}

export function bindPasswordField(id: string, messages: RevealMessages): PasswordControl {
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
