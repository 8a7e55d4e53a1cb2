/** The owner's page: devices, storage, backups, activity, export and the password. */
import type { OwnerDevice, OwnerView } from "../../contract/sync/page-views.ts";
import { MAX_DEVICE_NAME_CHARACTERS } from "../../contract/sync/owner-values.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { cardSection, errorMessage, factList, notice, signOutForm } from "../components.ts";
import { formatSize } from "../format.ts";
import { confirmForm, hiddenFields, textField } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { passwordSection } from "../login/password-form.ts";
import { day, moment, type Clock } from "../moments.ts";
import { operationsChart } from "./chart.ts";
import { OWNER_PATHS, renderOwnerDocument, type OwnerDocumentFrame } from "./frame.ts";
import { OWNER_TEXTS, type OwnerTexts } from "./texts.ts";

/** What the parts of the page share. */
interface Page {
  readonly view: OwnerView;
  readonly texts: OwnerTexts;
  readonly clock: Clock;
  readonly action: string;
}

export function renderOwnerPage(view: OwnerView, frame: OwnerDocumentFrame): string {
  const { language, now, query } = frame;
  const texts = OWNER_TEXTS[language];
  // The server does not know where its owner is.
  const clock: Clock = { language, timeZone: "UTC", now };
  const activity = operationsChart(view.usage.days, texts.activity, language);
  const page: Page = { view, texts, clock, action: `${OWNER_PATHS.page}${query}` };
  const password = {
    ...view,
    endpoint: `${OWNER_PATHS.password}${query}`,
    accessMember: "signOutDevices" as const,
  };
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${errorMessage(view.error && texts.errors[view.error])}
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    <section aria-labelledby="devices">
      <h2 id="devices">${texts.devices.title}</h2>
      ${devices(page)}
    </section>
    <div class="columns">
      ${cardSection("storage", texts.storage.title, storage(page))}
      ${cardSection("activity", texts.activity.title, activity)}
      <div class="stack">
        ${cardSection("export", texts.export.title, exportLink(page))} ${signOutEverywhere(page)}
      </div>
      ${passwordSection(password, texts.password, language)}
    </div>`;
  const prefix = view.error === null ? "" : `${ACCOUNT_TEXTS[language].error}: `;
  const signOut = { csrf: view.csrf, action: "sign-out" };
  return renderOwnerDocument(frame, {
    title: `${prefix}${texts.title}`,
    header: html`<div class="row account-bar">
      ${signOutForm(view.username, page.action, signOut, language)}
    </div>`,
    main,
  });
}

function signOutEverywhere({ view, texts, action }: Page): Html {
  return html`<section class="card ending" aria-labelledby="everywhere">
    <h2 id="everywhere">${texts.everywhere.title}</h2>
    <p class="lead">${texts.everywhere.lead}</p>
    ${confirmForm({
      ...texts.everywhere,
      name: "",
      action,
      members: { csrf: view.csrf, action: "sign-out-everywhere" },
    })}
  </section>`;
}

function devices(page: Page): Html {
  const { view, texts } = page;
  return view.devices.length === 0
    ? html`<div class="panel entry">
        <p>${texts.devices.none}</p>
        <p class="meta">${texts.devices.noneHint}</p>
      </div>`
    : html`<ul class="entries">
        ${view.devices.map((device, index) => deviceItem(device, index, page))}
      </ul>`;
}

/** Apps choose an id for each device; people know a device by the name that they give it. */
function deviceItem(device: OwnerDevice, index: number, page: Page): Html {
  const { view, clock, action } = page;
  const texts = page.texts.devices;
  const account = ACCOUNT_TEXTS[clock.language];
  const { deviceId, createdAt, lastUsedAt, expiresAt } = device;
  const name = device.name ?? texts.unnamed(shorten(deviceId));
  const isWhole = name === texts.unnamed(deviceId);
  return html`<li class="panel entry">
    <div class="row entry-head">
      <div>
        <h3>${name}</h3>
        ${
          !isWhole &&
          html`<p class="meta id">
            <span class="unseen">${texts.id} </span><code>${deviceId}</code>
          </p>`
        }
      </div>
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
    </div>
    ${factList([
      [account.lastUsed, moment(lastUsedAt, clock)],
      [texts.signedIn, moment(createdAt, clock)],
      [texts.expires, day(expiresAt, clock)],
    ])}
  </li>`;
}

function renameForm(device: OwnerDevice, name: string, field: string, page: Page): Html {
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
        hint: texts.nameHint,
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

function storage({ view, texts, clock }: Page): Html {
  const { usage, backups } = view;
  const { last, failingSince, instance } = backups;
  const chosen = instance === undefined ? "" : ` --instance ${instance}`;
  const own = texts.storage;
  const { language } = clock;
  const size = last === null || last.bytes === null ? null : formatSize(last.bytes, language);
  const { bytes, maxBytes } = usage;
  const used = bytes === null ? own.unknown : formatSize(bytes, language);
  const isUsedUp = bytes !== null && maxBytes !== null && bytes >= maxBytes;
  return html`${factList([
    ...(view.isSealed ? [[own.data, own.sealed] as const] : []),
    [own.used, maxBytes === null ? used : own.usedOf(used, formatSize(maxBytes, language))],
    [
      own.backup,
      last === null
        ? own.noBackup
        : html`${moment(last.createdAt, clock)}${size !== null && ` (${size})`}`,
    ],
  ])}
  ${isUsedUp && html`<div class="aside"><p>${own.usedUp}</p></div>`}
  ${last === null && html`<div class="aside"><p>${own.makeBackup(chosen)}</p></div>`}
  ${failingSince !== null && html`<div class="aside"><p>${own.failing(moment(failingSince, clock))}</p></div>`}`;
}

function exportLink({ view, texts }: Page): Html {
  const { lead, sealed, download } = texts.export;
  return html`<p class="lead">${view.isSealed ? sealed : lead}</p>
    <p class="buttons"><a class="button" href="${OWNER_PATHS.export}" download>${download}</a></p>`;
}
