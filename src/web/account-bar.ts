/** The second line of the header of a signed-in person: the parts of the account, and who is signed in. */
import type { Language } from "../contract/language.ts";
import { ACCOUNT_TEXTS } from "./account-texts.ts";
import { hiddenFields } from "./forms.ts";
import { html, type Html } from "./html.ts";

export interface AccountBar {
  readonly links: readonly AccountBarLink[];
  readonly username: string;
  /** The form that signs out. */
  readonly action: string;
  readonly members: Readonly<Record<string, string>>;
}

export interface AccountBarLink {
  readonly label: string;
  readonly url: string;
  readonly isCurrent: boolean;
}

export function accountBar({ links, ...signOut }: AccountBar, language: Language): Html {
  return html`<div class="row account-bar">
    <nav class="sections" aria-label="${ACCOUNT_TEXTS[language].navigation}">
      <ul class="row">
        ${links.map(
          ({ label, url, isCurrent }) =>
            html`<li>
              <a class="target" href="${url}" ${isCurrent && html` aria-current="page"`}
                >${label}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    ${signOutForm(signOut, language)}
  </div>`;
}

function signOutForm(
  { username, action, members }: Omit<AccountBar, "links">,
  language: Language,
): Html {
  const { signedInAs, signOut } = ACCOUNT_TEXTS[language];
  return html`<form class="row meta sign-out" method="post" action="${action}">
    ${hiddenFields(members)}
    <p>${signedInAs} <strong>${username}</strong></p>
    <button class="quiet" type="submit">${signOut}</button>
  </form>`;
}
