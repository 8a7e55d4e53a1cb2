/** What is stored, and the backups that the server knows of. */
import { factList } from "../components.ts";
import { formatSize } from "../format.ts";
import { html, type Html } from "../html.ts";
import { moment } from "../moments.ts";
import type { OwnerPage } from "./owner-page.ts";

export function storage(page: OwnerPage): Html {
  const { view, texts, clock } = page;
  const { failingSince, last, every, isShared } = view.backups;
  const own = texts.storage;
  const { bytes, maxBytes } = view.usage;
  const used = bytes === null ? own.unknown : formatSize(bytes, clock.language);
  const isUsedUp = bytes !== null && maxBytes !== null && bytes >= maxBytes;
  return html`${factList([
    ...(view.isSealed ? [[own.data, own.sealed] as const] : []),
    [
      own.used,
      maxBytes === null
        ? used
        : html`${own.usedOf(used, formatSize(maxBytes, clock.language))} ${gauge(bytes, maxBytes)}`,
    ],
    [own.backup, lastBackup(page)],
    ...(every === undefined ? [] : [[own.schedule, own.every[every]] as const]),
  ])}
  ${isUsedUp && aside(own.usedUp)}
  ${last === null && every === undefined && isShared !== true && aside(own.makeBackup)}
  ${failingSince !== null && aside(own.failing(moment(failingSince, clock)))}`;
}

/** A picture of the text beside it. */
function gauge(bytes: number | null, maxBytes: number): Html | null {
  return bytes === null
    ? null
    : html`<progress
        max="${maxBytes}"
        value="${Math.min(bytes, maxBytes)}"
        aria-hidden="true"
      ></progress>`;
}

function lastBackup({ view, texts, clock }: OwnerPage): string | Html {
  const { last, every, isShared } = view.backups;
  const { firstSoon, noBackup, noBackupYet } = texts.storage;
  if (last === null) {
    if (every !== undefined) return firstSoon;
    return isShared === true ? noBackupYet : noBackup;
  }
  const size = last.bytes === null ? null : formatSize(last.bytes, clock.language);
  return html`${moment(last.createdAt, clock)}${size !== null && ` (${size})`}`;
}

function aside(text: string | Html): Html {
  return html`<div class="aside"><p>${text}</p></div>`;
}
