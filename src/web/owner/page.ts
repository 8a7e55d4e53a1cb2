/** The owner's page in tabs: devices, the ways to sign in, the data, and the history of sign-ins. */
import type { OwnerView } from "../../contract/sync/page-views.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { OWNER_TABS, type OwnerTab } from "../../contract/sync/owner-values.ts";
import { accountBar } from "../account-bar.ts";
import { cardSection, errorMessage, notice } from "../components.ts";
import { confirmForm } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { BROWSERS_TEXTS } from "../signed-in-browsers.ts";
import { signInHistory } from "../sign-in-history.ts";
import { zoneNote } from "../local-times.ts";
import { passwordSection } from "../login/password-form.ts";
import type { Clock } from "../moments.ts";
import { passkeySection } from "../passkey/section.ts";
import { operationsChart } from "./chart.ts";
import { deletion } from "./deletion.ts";
import { OWNER_PATHS, ownerQuery, renderOwnerDocument, type OwnerDocumentFrame } from "./frame.ts";
import { browsers, devices } from "./lines.ts";
import type { OwnerPage } from "./owner-page.ts";
import { signInAgain } from "./sign-in-again.ts";
import { storage } from "./storage.ts";
import { OWNER_TEXTS } from "./texts.ts";

export function renderOwnerPage(view: OwnerView, frame: OwnerDocumentFrame): string {
  const { language, now, tab } = frame;
  const texts = OWNER_TEXTS[language];
  const clock: Clock = { language, timeZone: "UTC", now };
  const query = ownerQuery(frame, tab);
  const page: OwnerPage = { view, texts, clock, action: `${OWNER_PATHS.page}${query}`, query };
  const { title, lead } = texts.tabs[tab];
  const main = html`${notice(noticeText(page))}
    ${errorMessage(
      view.error && texts.errors[view.error],
      view.error === "name-differs" ? "delete-name" : null,
    )}
    <h1>${title}</h1>
    <p class="lead">${lead}</p>
    ${TABS[tab](page)} ${zoneNote(clock)}`;
  const prefix = view.error === null ? "" : `${ACCOUNT_TEXTS[language].error}: `;
  return renderOwnerDocument(frame, {
    title: `${prefix}${title}`,
    header: accountHeader(page, frame),
    main,
  });
}

function accountHeader({ view, texts, action }: OwnerPage, frame: OwnerDocumentFrame): Html {
  const links = OWNER_TABS.map((tab) => ({
    label: texts.tabs[tab].title,
    url: `${OWNER_PATHS.page}${ownerQuery(frame, tab)}`,
    isCurrent: tab === frame.tab,
  }));
  const members = { csrf: view.csrf, action: "sign-out" };
  return accountBar({ links, username: view.username, action, members }, frame.language);
}

const TABS: Readonly<Record<OwnerTab, (page: OwnerPage) => Html>> = {
  devices: (page) =>
    html`${wideSection("devices", page.texts.devices.title, devices(page))}
    ${wideSection("browsers", BROWSERS_TEXTS[page.clock.language].title, browsers(page))}
    ${signOutEverywhere(page)}`,
  "sign-in": (page) => html`<div class="columns">${password(page)} ${passkeys(page)}</div>`,
  data: (page) =>
    html`<div class="columns">
      ${cardSection("storage", page.texts.storage.title, storage(page))}
      ${cardSection("activity", page.texts.activity.title, activity(page))}
      ${cardSection("export", page.texts.export.title, exportLink(page))} ${deletion(page)}
    </div>`,
  history: ({ view, clock }) => signInHistory(view.signIns, clock),
};

function wideSection(id: string, title: string, content: Html): Html {
  return html`<section class="group" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

function activity({ view, texts, clock }: OwnerPage): Html {
  return operationsChart(view.usage.days, texts.activity, clock.language);
}

/** A thief of the old password may have added a passkey, which a new password does not remove. */
function noticeText({ view, texts }: OwnerPage): string | null {
  if (view.notice === null) return null;
  const text = texts.notices[view.notice];
  const hasPasskeys = (view.passkeys?.passkeys.length ?? 0) > 0;
  return view.notice === "password-changed" && hasPasskeys ? `${text} ${texts.passkeysStay}` : text;
}

function passkeys({ view, clock, action, query }: OwnerPage): Html | null {
  const { csrf } = view;
  if (view.passkeys === null) return null;
  return passkeySection({
    ...view.passkeys,
    csrf,
    action,
    endpoint: `${OWNER_PATHS.addPasskey}${query}`,
    signInAgain: { action, members: { csrf, action: "sign-in-again" } },
    clock,
  });
}

function password(page: OwnerPage): Html {
  const { view, texts, clock, query } = page;
  const own = texts.password;
  if (!view.hasPassword && !view.isFresh) {
    const content = html`<p class="lead">${own.first.lead}</p>
      ${signInAgain(page)}`;
    return cardSection("password", own.title, content);
  }
  const endpoint = `${OWNER_PATHS.password}${query}`;
  return passwordSection(
    { ...view, endpoint, accessMember: "signOutDevices" },
    own,
    clock.language,
  );
}

function exportLink({ view, texts }: OwnerPage): Html {
  const { lead, sealed, download } = texts.export;
  return html`<p class="lead">${view.isSealed ? sealed : lead}</p>
    <p class="buttons"><a class="button" href="${OWNER_PATHS.export}" download>${download}</a></p>`;
}

function signOutEverywhere({ view, texts, action }: OwnerPage): Html {
  return html`<section class="card group ending" aria-labelledby="everywhere">
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
