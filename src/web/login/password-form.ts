/** The section in which a signed-in person changes the password. */
import type { Language } from "../../contract/language.ts";
import { cardSection } from "../components.ts";
import { html, type Html } from "../html.ts";
import { writePageData } from "../page-script.ts";
import { errorSummary, explanations, passwordField, statusLine } from "./form.ts";
import type { PasswordTexts } from "./password-texts.ts";
import type { SessionData } from "./proof-requests.ts";
import { LOGIN_TEXTS } from "./texts.ts";

export interface PasswordData extends SessionData {
  readonly username: string;
  /** False for an account that signs in with passkeys alone: then there is no password to prove. */
  readonly hasPassword: boolean;
  /** The member of the request that the checkbox decides. */
  readonly accessMember: "disconnectApps" | "signOutDevices";
  readonly messages: PasswordTexts["messages"];
}

export interface PasswordOptions extends Omit<PasswordData, "attempt" | "messages"> {
  readonly interaction: string;
}

export interface PasswordSectionTexts extends PasswordTexts {
  readonly lead: string;
  readonly revokeAccess: string;
  readonly revokeHint: string;
}

export function passwordSection(
  { endpoint, csrf, username, hasPassword, purpose, interaction, accessMember }: PasswordOptions,
  texts: PasswordSectionTexts,
  language: Language,
): Html {
  const { deriving, unauthorized } = texts.first;
  const messages = { ...texts.messages, ...(!hasPassword && { deriving, unauthorized }) };
  const attempt = { interaction };
  const data = { endpoint, csrf, username, hasPassword, purpose, attempt, accessMember, messages };
  const form = passwordForm(data, texts, language);
  return cardSection(
    "password",
    texts.title,
    html`<p class="lead">${hasPassword ? texts.lead : texts.first.lead}</p>
      ${form}`,
  );
}

/** The fields have no names, so that no browser submits them. */
function passwordForm(data: PasswordData, texts: PasswordSectionTexts, language: Language): Html {
  const { username, hasPassword, messages } = data;
  return html`${explanations({ ...LOGIN_TEXTS[language], needsScriptDetail: texts.needsScriptDetail })}
    <form
      class="fields"
      id="change-password"
      novalidate
      hidden
      data-password="${writePageData(data)}"
    >
      ${errorSummary()}
      <input type="text" autocomplete="username" value="${username}" readonly hidden />
      ${
        hasPassword &&
        passwordField({
          id: "current-password",
          label: texts.currentPassword,
          autocomplete: "current-password",
          messages,
        })
      }
      ${passwordField({
        id: "new-password",
        label: texts.newPassword,
        autocomplete: "new-password",
        hint: texts.newPasswordHint,
        messages,
      })}
      ${
        hasPassword &&
        html`<div class="check">
          <input id="revoke-access" type="checkbox" aria-describedby="revoke-hint" />
          <label for="revoke-access">${texts.revokeAccess}</label>
          <p class="hint" id="revoke-hint">${texts.revokeHint}</p>
        </div>`
      }
      <button class="button primary large" id="submit" type="submit">
        ${hasPassword ? texts.change : texts.first.set}
      </button>
      ${statusLine(hasPassword ? texts.passwordNote : texts.first.passwordNote)}
    </form>`;
}
