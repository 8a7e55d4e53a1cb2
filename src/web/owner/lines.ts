/** Devices and browsers, each on one line where there is room; on a phone, the facts are below the name. */
import { MAX_DEVICE_NAME_CHARACTERS } from "../../contract/sync/device-name.ts";
import type { OwnerDevice } from "../../contract/sync/page-views.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { emptyState, factList } from "../components.ts";
import { confirmForm, hiddenFields, textField } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { lineList } from "../line-list.ts";
import { day, moment } from "../moments.ts";
import { signedInBrowsers } from "../signed-in-browsers.ts";
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

export function browsers({ view, texts, clock, action }: OwnerPage): Html {
  const { lead, question } = texts.browsers;
  const { browsers, csrf } = view;
  return html`<p class="lead">${lead}</p>
    ${signedInBrowsers({ browsers, csrf, action, question, clock })}`;
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
