/** The section in which a signed-in person adds, renames and removes passkeys. */
import { MAX_PASSKEY_NAME_CHARACTERS, MAX_PASSKEYS } from "../../contract/passkey.ts";
import type { PasskeyItem, PasskeysView } from "../../contract/passkey-pages.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { cardSection, factList } from "../components.ts";
import { confirmForm, hiddenFields, textField } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { moment, type Clock } from "../moments.ts";
import { writePageData } from "../page-script.ts";
import type { AddPasskeyData } from "./add.ts";
import { signInAgainForm, type SignInAgain } from "./sign-in-again.ts";
import { PASSKEY_TEXTS, type PasskeyTexts } from "./texts.ts";

export interface PasskeySectionOptions extends PasskeysView {
  readonly csrf: string;
  /** The form posts `name-passkey` with `name`, and `remove-passkey`, both with `passkey`. */
  readonly action: string;
  /** The script adds a passkey here. */
  readonly endpoint: string;
  readonly signInAgain: SignInAgain;
  readonly clock: Clock;
}

export function passkeySection(options: PasskeySectionOptions): Html {
  const { passkeys, isFresh, clock } = options;
  const texts = PASSKEY_TEXTS[clock.language];
  return cardSection(
    "passkeys",
    texts.title,
    html`<p class="lead">${texts.lead}</p>
      ${
        passkeys.length === 0
          ? html`<p class="meta after">${texts.none}</p>`
          : html`<ul class="entries">
              ${passkeys.map((passkey, index) => passkeyItem(passkey, index, options, texts))}
            </ul>`
      }
      ${isFresh ? addForm(options, texts) : signInAgainForm(options.signInAgain, clock.language)}`,
  );
}

function passkeyItem(
  { credentialId, name, createdAt, lastUsedAt }: PasskeyItem,
  index: number,
  { csrf, action, isFresh, clock }: PasskeySectionOptions,
  texts: PasskeyTexts,
): Html {
  const { lastUsed, never, save } = ACCOUNT_TEXTS[clock.language];
  const members = (name: string) => ({ csrf, action: name, passkey: credentialId });
  return html`<li class="panel entry">
    <div class="row entry-head">
      <div><h3>${name}</h3></div>
      <div class="row actions">
        <details class="confirm">
          <summary class="quiet">${texts.rename}<span class="unseen"> ${name}</span></summary>
          <form class="row rename" method="post" action="${action}">
            ${hiddenFields(members("name-passkey"))}
            ${textField({
              name: `passkey-name-${index}`,
              submittedName: "name",
              label: texts.newNameLabel,
              value: name,
              required: true,
              maxLength: MAX_PASSKEY_NAME_CHARACTERS,
            })}
            <button class="button" type="submit">${save}</button>
          </form>
        </details>
        ${
          isFresh &&
          confirmForm({
            label: texts.remove,
            name,
            question: texts.removeQuestion,
            confirm: texts.removeConfirm,
            action,
            members: members("remove-passkey"),
          })
        }
      </div>
    </div>
    ${factList([
      [lastUsed, lastUsedAt === null ? never : moment(lastUsedAt, clock)],
      [texts.added, moment(createdAt, clock)],
    ])}
  </li>`;
}

/** Hidden until the script knows that the browser supports passkeys. */
function addForm({ passkeys, csrf, endpoint }: PasskeySectionOptions, texts: PasskeyTexts): Html {
  if (passkeys.length >= MAX_PASSKEYS) {
    return html`<p class="meta after">${texts.full(MAX_PASSKEYS)}</p>`;
  }
  const messages = { ...texts.messages, ...texts.adding };
  const data: AddPasskeyData = { endpoint, csrf, messages };
  return html`<p class="meta after" id="passkey-unavailable">${texts.unavailable}</p>
    <form class="fields" id="add-passkey" hidden data-passkey="${writePageData(data)}">
      ${textField({
        name: "passkey-name",
        label: texts.name,
        value: texts.newName(passkeys.length + 1),
        hint: texts.nameHint,
        required: true,
        maxLength: MAX_PASSKEY_NAME_CHARACTERS,
      })}
      <div class="row buttons"><button class="button" type="submit">${texts.add}</button></div>
      <p class="field-error" id="passkey-error" role="alert"></p>
    </form>`;
}
