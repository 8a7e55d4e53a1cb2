/** The owner's page: devices, storage, sign-ins, passkeys, password, export, and the deletion of everything. */
import type { OwnerView } from "../../contract/sync/page-views.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { cardSection, errorMessage, notice, signOutForm } from "../components.ts";
import { confirmForm } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { passwordSection } from "../login/password-form.ts";
import type { Clock } from "../moments.ts";
import { passkeySection } from "../passkey/section.ts";
import { operationsChart } from "./chart.ts";
import { deletion } from "./deletion.ts";
import { OWNER_PATHS, renderOwnerDocument, type OwnerDocumentFrame } from "./frame.ts";
import { browsers, devices } from "./lines.ts";
import type { OwnerPage } from "./owner-page.ts";
import { signInAgain } from "./sign-in-again.ts";
import { signIns } from "./sign-ins.ts";
import { storage } from "./storage.ts";
import { OWNER_TEXTS } from "./texts.ts";

export function renderOwnerPage(view: OwnerView, frame: OwnerDocumentFrame): string {
  const { language, now, query } = frame;
  const texts = OWNER_TEXTS[language];
  // The server does not know where its owner is.
  const clock: Clock = { language, timeZone: "UTC", now };
  const page: OwnerPage = { view, texts, clock, action: `${OWNER_PATHS.page}${query}`, query };
  const main = html`${notice(noticeText(page))}
    ${errorMessage(
      view.error && texts.errors[view.error],
      view.error === "name-differs" ? "delete-name" : null,
    )}
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    ${wideSection("devices", texts.devices.title, devices(page))}
    <div class="columns">
      ${cardSection("storage", texts.storage.title, storage(page))}
      ${cardSection(
        "activity",
        texts.activity.title,
        operationsChart(view.usage.days, texts.activity, language),
      )}
    </div>
    ${wideSection("browsers", texts.browsers.title, browsers(page))}
    ${wideSection("sign-ins", texts.signIns.title, signIns(page))}
    <div class="columns">
      ${password(page)}
      <div class="stack">
        ${passkeys(page)} ${cardSection("export", texts.export.title, exportLink(page))}
      </div>
    </div>
    <div class="columns">${signOutEverywhere(page)} ${deletion(page)}</div>`;
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

/** A thief of the old password may have added a passkey, which a new password does not remove. */
function noticeText({ view, texts }: OwnerPage): string | null {
  if (view.notice === null) return null;
  const text = texts.notices[view.notice];
  const hasPasskeys = (view.passkeys?.passkeys.length ?? 0) > 0;
  return view.notice === "password-changed" && hasPasskeys ? `${text} ${texts.passkeysStay}` : text;
}

function wideSection(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
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
