/** Imports a calendar, a CSV or a JSON file. */
import { hashSecret } from "../../identity/one-time-secrets.ts";
import type { FeedError, ParsedFeed } from "../../rules/events/ingest/entry.ts";
import { FILE_LIMITS, parseFeed } from "../ingest/parse-feed.ts";
import type { ImportSummary } from "../pages.ts";
import type { EventsStore, Source } from "../store.ts";
import { importFeed, planImport } from "./import-feed.ts";

export interface FileImport {
  readonly store: EventsStore;
  readonly accountId: string;
  readonly bytes: Uint8Array;
  /** The name has no folders. A known extension gives the format; otherwise the content does. */
  readonly fileName: string;
  /** The name of the source; defaults to that of the file. */
  readonly source?: string;
  /** Deletes the events of the source that are missing from the file. */
  readonly replace?: boolean;
  /** The type of entries that no rule matches. */
  readonly defaultType?: string;
  /** Called before anything is written; throws to cancel the import. */
  readonly confirm?: (plan: FilePlan) => Promise<void>;
  /** The time zone of accounts without one. */
  readonly defaultTimeZone: string;
  readonly now?: () => number;
  readonly onProgress?: (progress: FileProgress) => void;
}

export interface FilePlan {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  /** How many events the source has. */
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
      readonly feed: Omit<ParsedFeed, "entries">;
    }
  /** Nothing was written. */
  | { readonly kind: "failed"; readonly error: FeedError };

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
  if (parsed.kind === "failed") return parsed;

  const { confirm } = request;
  const options = { mode: "file", replace } as const;
  if (confirm !== undefined) {
    const known = await store.transaction(({ events }) => events.listSource(accountId, sourceId));
    const { added, changed, deleted } = planImport(known, parsed.feed, options, now());
    const present = known.filter(({ deletedAt }) => deletedAt === null).length;
    await confirm({ added: added.length, changed: changed.length, deleted, present });
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
  if (imported.kind !== "imported") throw new Error("The import of a file was superseded");
  const { entries: _, ...feed } = parsed.feed;
  return { kind: "imported", source, summary: imported.summary, feed };
}

/** The id is derived from account and name, so that another import has the same event ids. */
function fileSourceId(accountId: string, name: string): string {
  return hashSecret(JSON.stringify(["file", accountId, name]));
}
