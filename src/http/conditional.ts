/** Conditional requests: RFC 9110 sections 8.8.3 and 13.1.2. */
import { createHash } from "node:crypto";
import { jsonAnswer, type Answer } from "./answer.ts";

/** An answer with a validator, and what a client that already has it gets instead. */
export interface ConditionalAnswer {
  readonly etag: string;
  readonly full: Answer;
  readonly notModified: Answer;
}

/** A JSON body with a strong validator of its exact bytes. */
export function conditionalJson(body: string, cacheControl: string): ConditionalAnswer {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  // The 304 carries what a cache updates: the validator and the cache rules (RFC 9110 15.4.5).
  const headers = { ETag: etag, "Cache-Control": cacheControl };
  return {
    etag,
    full: jsonAnswer(200, body, headers),
    notModified: { status: 304, headers, body: null },
  };
}

export function chooseAnswer(answer: ConditionalAnswer, ifNoneMatch: string | null): Answer {
  return ifNoneMatch !== null && matchesETag(ifNoneMatch, answer.etag)
    ? answer.notModified
    : answer.full;
}

const ENTITY_TAG = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/;

/** Weak comparison, as If-None-Match asks: `*`, one tag or a list. A malformed list matches nothing. */
export function matchesETag(ifNoneMatch: string, etag: string): boolean {
  const field = ifNoneMatch.trim();
  if (field === etag || field === "*") return true;
  const wanted = etag.replace(/^W\//, "");
  return splitTags(field).some((tag) => ENTITY_TAG.exec(tag)?.[1] === wanted);
}

/** A comma may stand inside a tag's quotes. */
function splitTags(field: string): string[] {
  return (field.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((tag) => tag.trim());
}
