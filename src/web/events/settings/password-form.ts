/** The form for a new password. Its fields have no names: no browser submits them. */
import type { SettingsView } from "../../../contract/events/page-views.ts";
import { html, type Html } from "../../html.ts";
import { errorSummary, explanations, statusLine } from "../../login/form.ts";
import { passwordField } from "../../login/password-field.ts";
import { writePageData } from "../../page-script.ts";
import { PATHS, type SignedInFrame } from "../frame.ts";
import type { SessionData } from "../session-requests.ts";
import type { SettingsTexts } from "./texts.ts";

export interface PasswordData extends SessionData {
  readonly username: string;
  readonly messages: SettingsTexts["messages"];
}

export function passwordForm(
  { interaction, purpose }: SettingsView,
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
  return html`${explanations(texts)}
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
        label: texts.currentPassword,
        autocomplete: "current-password",
        messages,
      })}
      ${passwordField({
        id: "new-password",
        label: texts.newPassword,
        autocomplete: "new-password",
        describedBy: "new-password-hint password-note",
        messages,
      })}
      <p class="hint" id="new-password-hint">${texts.newPasswordHint}</p>
      <div class="check">
        <input id="revoke-access" type="checkbox" aria-describedby="revoke-hint" />
        <label for="revoke-access">${texts.revokeAccess}</label>
        <p class="hint" id="revoke-hint">${texts.revokeHint}</p>
      </div>
      <button class="button primary large" id="submit" type="submit">${texts.change}</button>
      ${statusLine(texts.passwordNote)}
    </form>`;
}
