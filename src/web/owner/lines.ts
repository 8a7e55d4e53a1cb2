/** Devices and browsers, each on one line where there is room; on a phone, the facts are below the name. */
import { MAX_DEVICE_NAME_CHARACTERS } from "../../contract/sync/device-name.ts";
import type { OwnerBrowser, OwnerDevice } from "../../contract/sync/page-views.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { emptyState, factList } from "../components.ts";
import { confirmForm, hiddenFields, textField } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { lineList } from "../line-list.ts";
import { day, moment } from "../moments.ts";
import { describeBrowser } from "../sign-in-history.ts";
import type { OwnerPage } from "./owner-page.ts";

export function devices(page: OwnerPage): Html {
  const { view, texts, clock } = page;
  const { none, noneHint, signedIn, expires } = texts.devices;
  if (view.devices.length === 0) {
    return emptyState(null, none, noneHint);
  }
  const headings = [
    texts.devices.device,
    ACCOUNT_TEXTS[clock.language].lastUsed,
    signedIn,
    expires,
  ];
  const items = view.devices.map((device, index) => deviceLine(device, index, page));
  return lineList("devices", headings, items, clock.language);
}

export function browsers(page: OwnerPage): Html {
  const { view, texts, clock } = page;
  const { browser, signedIn } = texts.browsers;
  const headings = [browser, ACCOUNT_TEXTS[clock.language].lastUsed, signedIn];
  return html`<p class="lead">${texts.browsers.lead}</p>
    ${lineList(
      "browsers",
      headings,
      view.browsers.map((item) => browserLine(item, page)),
      clock.language,
    )}`;
}

/** Apps choose an id for each device; people know a device by the name that they give it. */
function deviceLine(device: OwnerDevice, index: number, page: OwnerPage): Html {
  const { view, clock, action } = page;
  const texts = page.texts.devices;
  const account = ACCOUNT_TEXTS[clock.language];
  const { deviceId, createdAt, lastUsedAt, expiresAt } = device;
  const name = device.name ?? texts.unnamed(shorten(deviceId));
  return html`<li class="line">
    <h3>${name}</h3>
    ${factList([
      [account.lastUsed, moment(lastUsedAt, clock, "short")],
      [texts.signedIn, day(createdAt, clock, "short")],
      [texts.expires, day(expiresAt, clock, "short")],
    ])}
    <div class="row actions">
      ${renameForm(device, name, `name-${index}`, page)}
      ${confirmForm({
        label: account.signOut,
        name,
        question: texts.question,
        confirm: texts.confirm,
        action,
        members: { csrf: view.csrf, action: "revoke", device: deviceId },
      })}
    </div>
  </li>`;
}

function renameForm(device: OwnerDevice, name: string, field: string, page: OwnerPage): Html {
  const { view, clock, action } = page;
  const texts = page.texts.devices;
  return html`<details class="confirm">
    <summary class="quiet">${texts.rename}<span class="unseen"> ${name}</span></summary>
    <form class="row rename" method="post" action="${action}">
      ${hiddenFields({ csrf: view.csrf, action: "name", device: device.deviceId })}
      ${textField({
        name: field,
        submittedName: "name",
        label: texts.name,
        value: device.name ?? "",
        hint: texts.nameHint(html`<code>${device.deviceId}</code>`),
        maxLength: MAX_DEVICE_NAME_CHARACTERS,
      })}
      <button class="button" type="submit">${ACCOUNT_TEXTS[clock.language].save}</button>
    </form>
  </details>`;
}

const SHOWN_ID_CHARACTERS = 8;

function shorten(deviceId: string): string {
  return deviceId.length <= 2 * SHOWN_ID_CHARACTERS
    ? deviceId
    : `${deviceId.slice(0, SHOWN_ID_CHARACTERS)}…`;
}

function browserLine(item: OwnerBrowser, { view, texts, clock, action }: OwnerPage): Html {
  const account = ACCOUNT_TEXTS[clock.language];
  const name = describeBrowser(item, clock.language);
  const { isThis, thisBrowser, question, confirm } = { ...item, ...texts.browsers };
  return html`<li class="line">
    <h3>${name} ${isThis && html`<span class="badge marked">${thisBrowser}</span>`}</h3>
    ${factList([
      [account.lastUsed, moment(item.lastUsedAt, clock, "short")],
      [texts.browsers.signedIn, moment(item.createdAt, clock, "short")],
    ])}
    <div class="row actions">
      ${
        !isThis &&
        confirmForm({
          label: account.signOut,
          name,
          question,
          confirm,
          action,
          members: { csrf: view.csrf, action: "sign-out-browser", browser: item.id },
        })
      }
    </div>
  </li>`;
}
