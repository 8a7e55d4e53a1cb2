/** Conditional requests: RFC 9110 sections 8.8.3 and 13.1.2. */
import { createHash } from "node:crypto";
import type { ContentCoding } from "./content-encoding.ts";
import { contentResponse, type HttpResponse } from "./response.ts";

export interface ConditionalResponse {
  readonly etag: string;
  readonly full: HttpResponse;
  readonly notModified: HttpResponse;
}

interface ContentForm {
  /** What the validator has between its quotes: by default the digest of the bytes. */
  readonly tag?: string;
  /** Headers of the full response and of the 304. */
  readonly headers?: HttpResponse["headers"];
  /** What the bytes are compressed with. */
  readonly encoding?: ContentCoding;
}

/** A response with a strong validator. */
export function conditionalContent(
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
  cacheControl: string,
  { tag = digestOf(body), headers = {}, encoding }: ContentForm = {},
): ConditionalResponse {
  const etag = `"${tag}"`;
  // RFC 9110 15.4.5: a 304 has the headers that a cache updates.
  const updated = { ETag: etag, "Cache-Control": cacheControl, ...headers };
  const encoded = encoding === undefined ? {} : { "Content-Encoding": encoding };
  return {
    etag,
    full: contentResponse(200, contentType, body, { ...updated, ...encoded }),
    notModified: { status: 304, headers: updated, body: null },
  };
}

export function digestOf(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url");
}

export function chooseResponse(
  response: ConditionalResponse,
  ifNoneMatch: string | null,
): HttpResponse {
  return ifNoneMatch !== null && matchesETag(ifNoneMatch, response.etag)
    ? response.notModified
    : response.full;
}

/** RFC 9110 13.1.2: weak comparison with `*`, one tag or a list. A malformed list matches nothing. */
export function matchesETag(ifNoneMatch: string, etag: string): boolean {
  const field = ifNoneMatch.trim();
  if (field === etag || field === "*") return true;
  const wanted = etag.replace(/^W\//, "");
  return readTags(field).includes(wanted);
}

/** One element of the list with its comma: a tag, or nothing (RFC 9110 5.6.1.2). A tag may contain commas. */
const ELEMENT = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;

function readTags(field: string): string[] {
  const tags: string[] = [];
  ELEMENT.lastIndex = 0;
  for (;;) {
    const element = ELEMENT.exec(field);
    if (element === null) return [];
    if (element[1] !== undefined) tags.push(element[1]);
    if (element[2] === "") return tags;
  }
}
