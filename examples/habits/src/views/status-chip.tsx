/** The state of sync in two words. A round that is in progress moves a dot and changes no word. */
import type { SyncStatus } from "trellis/client";
import { useRef } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { SETTINGS } from "../route.ts";
import type { Texts } from "../texts.ts";
import { Icon, type IconName } from "./icon.tsx";

export type CalmKind = Exclude<SyncStatus["kind"], "syncing">;

const ICONS: Readonly<Record<CalmKind, IconName>> = {
  "signed-out": "device",
  "up-to-date": "synced",
  offline: "offline",
  waiting: "waiting",
  "sign-in-needed": "attention",
  "key-needed": "attention",
  "needs-attention": "attention",
  "storage-lost": "attention",
  blocked: "attention",
};

/** What was shown before the round that is in progress. */
export function useCalmKind({ kind }: SyncStatus): CalmKind {
  const last = useRef<CalmKind>("up-to-date");
  if (kind !== "syncing") last.current = kind;
  return last.current;
}

export function describeStatus(kind: CalmKind, status: SyncStatus, texts: Texts): string {
  const { pending, quarantined } = status;
  if (kind === "needs-attention") return texts.status.quarantined(quarantined);
  if (kind === "waiting" && pending > 0) return texts.status.pending(pending);
  if (kind === "offline" && pending > 0) return texts.status.offlinePending(pending);
  return texts.status[kind];
}

export function StatusChip() {
  const { status, texts } = useApp();
  const kind = useCalmKind(status);
  const text = describeStatus(kind, status, texts);
  return (
    <a
      class="chip"
      href={SETTINGS}
      data-kind={ICONS[kind] === "attention" ? "attention" : kind}
      aria-label={texts.status.open(text)}
    >
      <Icon name={ICONS[kind]} />
      <span>{text}</span>
      {status.kind === "syncing" && <span class="pulse" />}
    </a>
  );
}
