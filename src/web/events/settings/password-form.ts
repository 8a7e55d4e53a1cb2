/** The form for a new password. Its fields have no names: no browser can send them by itself. */
import { html, type Html } from "../../html.ts";
import { explanation, errorSummary, underButton } from "../../login/form.ts";
import { passwordField } from "../../login/password-field.ts";
import { writePageData } from "../../page-data.ts";
import { PATHS } from "../paths.ts";
import type { SignedInFrame } from "../signed-in.ts";
import type { PasswordData } from "./password-data.ts";
import type { SettingsTexts } from "./texts.ts";

export interface PasswordFormView {
  readonly interaction: string;
  readonly purpose: string;
}

export function passwordForm(
  { interaction, purpose }: PasswordFormView,
  { account }: SignedInFrame,
  texts: SettingsTexts,
): Html {
  const { messages } = texts;
  const data: PasswordData = {
    endpoint: PATHS.settings,
    csrf: account.csrf,
    username: account.username,
    purpose,
    attempt: { interaction },
    messages,
  };
  return html`${explanation("needs-script", texts.needsScript, texts.needsScriptDetail, false)}
    ${explanation("insecure", texts.insecure, texts.insecureDetail, true)}
    <form
      class="fields"
      id="change-password"
      novalidate
      hidden
      data-password="${writePageData(data)}"
    >
      ${errorSummary()}
      <input type="text" autocomplete="username" value="${account.username}" readonly hidden />
      ${passwordField({
        id: "current-password",
        label: texts.current,
        autocomplete: "current-password",
        messages,
      })}
      ${passwordField({
        id: "new-password",
        label: texts.fresh,
        autocomplete: "new-password",
        describedBy: "new-password-hint stays-here",
        messages,
      })}
      <p class="hint" id="new-password-hint">${texts.freshHint}</p>
      <div class="check">
        <input id="disconnect" type="checkbox" aria-describedby="disconnect-hint" />
        <label for="disconnect">${texts.disconnect}</label>
        <p class="hint" id="disconnect-hint">${texts.disconnectHint}</p>
      </div>
      <button class="submit" id="submit" type="submit">${texts.change}</button>
      ${underButton(texts.stays)}
    </form>`;
}
