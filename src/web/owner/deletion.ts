/** The deletion of everything: what it does, what it cannot do, and a name to type. */
import { hiddenFields, textField } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { moment } from "../moments.ts";
import { OWNER_PATHS } from "./frame.ts";
import type { OwnerPage } from "./owner-page.ts";
import { signInAgain } from "./sign-in-again.ts";

export function deletion(page: OwnerPage): Html {
  const { view, texts } = page;
  const { title, lead, open } = texts.deletion;
  const isOpen = view.error === "name-differs";
  return html`<section class="card ending deletion" aria-labelledby="deletion">
    <h2 id="deletion">${title}</h2>
    <p class="lead">${lead}</p>
    <details class="confirm" ${isOpen && html` open`}>
      <summary class="quiet">${open}</summary>
      ${view.isFresh ? deletionForm(page) : signInAgain(page)}
    </details>
  </section>`;
}

function deletionForm({ view, texts, clock, action }: OwnerPage): Html {
  const own = texts.deletion;
  const { last, every } = view.backups;
  const download = html`<a href="${OWNER_PATHS.export}" download>${texts.export.download}</a>`;
  return html`<form class="fields question" method="post" action="${action}">
    ${hiddenFields({ csrf: view.csrf, action: "delete-everything" })}
    <ol class="steps">
      <li>${own.exportFirst(download)}</li>
      <li>${own.devices}</li>
      <li>
        ${last === null ? own.backups : own.backupsSince(moment(last.createdAt, clock))}
        ${every !== undefined && own.replaced}
      </li>
    </ol>
    ${textField({
      name: "delete-name",
      submittedName: "name",
      label: own.name(view.username),
      value: "",
      required: true,
      error: view.error === "name-differs" && texts.errors["name-differs"],
    })}
    <div><button class="button danger" type="submit">${own.confirm}</button></div>
  </form>`;
}
