/** What turning outside text into entries needs to know about the account and its source. */
import { createHash } from "node:crypto";
import type { WordRule } from "../../rules/events/ingest/entry.ts";
import type { HashText } from "../../rules/events/ingest/event-id.ts";
import {
  createTypeFinder,
  DEFAULT_TYPE,
  DEFAULT_WORD_RULES,
  type FindType,
} from "../../rules/events/ingest/word-rules.ts";

/** Plain data: it goes to the worker as it is. */
export interface SourceSettings {
  /** Part of the ids of a calendar's entries: the same name gives the same ids again. */
  readonly sourceId: string;
  /** IANA name of the account's zone, for times that bring none of their own. */
  readonly timeZone: string;
  readonly rules?: readonly WordRule[];
  /** For entries without a known word. */
  readonly defaultType?: string;
  readonly now: number;
}

export interface EntryContext {
  readonly sourceId: string;
  readonly timeZone: string;
  readonly now: number;
  readonly defaultType: string;
  readonly findType: FindType;
  readonly hash: HashText;
}

export function createEntryContext(settings: SourceSettings): EntryContext {
  const { sourceId, timeZone, now, defaultType = DEFAULT_TYPE, rules } = settings;
  return {
    sourceId,
    timeZone,
    now,
    defaultType,
    findType: createTypeFinder(rules ?? DEFAULT_WORD_RULES),
    hash: (text) => createHash("sha256").update(text).digest("base64url"),
  };
}
