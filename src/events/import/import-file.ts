/** Imports a file that somebody has at hand: a calendar, a table or a list. */
import { hashSecret } from "../../identity/one-time-secrets.ts";
import type { FeedError, ParsedFeed } from "../../rules/events/ingest/entry.ts";
import { FILE_LIMITS, parseFeed } from "../ingest/parse-feed.ts";
import type { ImportSummary } from "../pages.ts";
import type { EventsStore, Source } from "../store.ts";
import { importFeed } from "./import-feed.ts";
import { planImport } from "./plan-import.ts";

export interface FileImport {
  readonly store: EventsStore;
  readonly accountId: string;
  readonly bytes: Uint8Array;
  /** Without folders. Its ending tells the format; without a known one, the content does. */
  readonly fileName: string;
  /** The name of the source; that of the file unless given. */
  readonly source?: string;
  /** Events of this source that the file does not have are deleted. */
  readonly replace?: boolean;
  /** Of entries without a known word. */
  readonly defaultType?: string;
  /** Asked before anything is written, when `replace` deletes events; it throws to stop that. */
  readonly confirm?: (deletions: FileDeletions) => Promise<void>;
  /** For accounts that chose none. */
  readonly defaultTimeZone: string;
  readonly now?: () => number;
  readonly onProgress?: (progress: FileProgress) => void;
}

export interface FileDeletions {
  readonly deleted: number;
  /** How many the source has. */
  readonly present: number;
}

export type FileProgress =
  | { readonly phase: "reading"; readonly entriesRead: number }
  | { readonly phase: "writing"; readonly written: number; readonly total: number };

export type FileResult =
  | {
      readonly kind: "imported";
      readonly source: Source;
      readonly summary: ImportSummary;
      /** What was read, with the skipped entries and the notices in full. */
      readonly feed: Omit<ParsedFeed, "entries">;
    }
  /** Nothing was written. */
  | { readonly kind: "failed"; readonly fault: FeedError };

export async function importFile(request: FileImport): Promise<FileResult> {
  const { store, accountId, fileName, source: name = fileName, replace = false } = request;
  const { now = Date.now, onProgress } = request;
  const profile = await store.transaction(({ profiles }) => profiles.find(accountId));
  const sourceId = fileSourceId(accountId, name);
  const parsed = await parseFeed(request.bytes, {
    format: "auto",
    fileName,
    sourceId,
    timeZone: profile?.timeZone ?? request.defaultTimeZone,
    now: now(),
    limits: FILE_LIMITS,
    ...(request.defaultType !== undefined && { defaultType: request.defaultType }),
    onProgress: (entriesRead) => onProgress?.({ phase: "reading", entriesRead }),
  });
  if (!parsed.ok) return { kind: "failed", fault: parsed.fault };

  const { confirm } = request;
  const options = { mode: "file", replace } as const;
  if (replace && confirm !== undefined) {
    const known = await store.transaction(({ events }) => events.listSource(accountId, sourceId));
    const { deleted } = planImport(known, parsed.feed, options, now());
    const present = known.filter(({ deletedAt }) => deletedAt === null).length;
    if (deleted > 0) await confirm({ deleted, present });
  }
  const source = await store.transaction(({ sources }) =>
    sources.findOrAdd({ sourceId, accountId, kind: "file", name, createdAt: now() }),
  );
  const imported = await importFeed({
    store,
    accountId,
    sourceId,
    feed: parsed.feed,
    options,
    now,
    onProgress: (progress) => onProgress?.({ phase: "writing", ...progress }),
  });
  if (imported.kind !== "imported") throw new Error("Nobody takes a file over from its import");
  const { entries: _, ...feed } = parsed.feed;
  return { kind: "imported", source, summary: imported.summary, feed };
}

/** The same name of the same account gives the same source, and so the same ids of events, for ever. */
function fileSourceId(accountId: string, name: string): string {
  return hashSecret(JSON.stringify(["file", accountId, name]));
}
