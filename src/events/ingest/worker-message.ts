/** What the two threads say to each other. */
import type { FeedResult } from "../../rules/events/ingest/entry.ts";
import type { SourceSettings } from "./entry-context.ts";
import type { SourceFile } from "./parse-source.ts";

export interface WorkerTask {
  readonly file: SourceFile;
  readonly settings: SourceSettings;
}

export type WorkerMessage =
  /** Loaded: from now on the time counts. */
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly entriesRead: number }
  | { readonly kind: "result"; readonly result: FeedResult };
