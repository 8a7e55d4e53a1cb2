/** The form of a sign-in, and what stands in its place when the page cannot do its work. */
import { html, type Html } from "../html.ts";
import { writePageData } from "../page-data.ts";
import type { SignInData } from "./login-data.ts";
import { passwordField } from "./password-field.ts";
import type { LoginTexts } from "./texts.ts";

export function loginForm(data: SignInData, texts: LoginTexts): Html {
  const { messages } = data;
  return html`${explanation("needs-script", texts.needsScript, texts.needsScriptDetail, false)}
    ${explanation("insecure", texts.insecure, texts.insecureDetail, true)}
    <form class="fields" id="login" novalidate hidden data-login="${writePageData(data)}">
      ${errorSummary()}
      <div class="field">
        <label for="username">${texts.username}</label>
        <input
          id="username"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          autocorrect="off"
          spellcheck="false"
          required
          aria-describedby="username-problem"
        />
        <p class="field-problem" id="username-problem"></p>
      </div>
      ${passwordField({
        id: "password",
        label: texts.password,
        autocomplete: "current-password",
        describedBy: "stays-here",
        messages,
      })}
      <button class="submit" id="submit" type="submit">${texts.submit}</button>
      ${underButton(texts.staysHere)}
    </form>`;
}

export function explanation(id: string, title: string, detail: string, hidden: boolean): Html {
  return html`<div class="explanation" id="${id}" ${hidden && html`hidden`}>
    <h2>${title}</h2>
    <p>${detail}</p>
  </div>`;
}

/** Filled and shown by the script; what ticks stands outside of what is read out. */
export function errorSummary(): Html {
  return html`<div class="problem" id="problem" tabindex="-1" hidden>
    <div role="alert">
      <p id="problem-text"></p>
      <p class="detail" id="problem-detail"></p>
    </div>
    <p class="countdown" id="countdown" hidden></p>
  </div>`;
}

export function underButton(note: string): Html {
  return html`<div class="under">
    <p class="status" id="status" role="status"></p>
    <p class="note" id="stays-here">${note}</p>
  </div>`;
}
