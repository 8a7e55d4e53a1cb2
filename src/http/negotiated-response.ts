/** Responses with a form for each content encoding, made once: RFC 9110 sections 8.4, 8.8.3.3 and 12.5.5. */
import {
  conditionalContent,
  digestOf,
  matchesETag,
  type ConditionalResponse,
} from "./conditional.ts";
import {
  chooseEncoding,
  compressAtOnce,
  compressInBackground,
  CONTENT_CODINGS,
  type ContentCoding,
} from "./content-encoding.ts";
import type { RawRequest } from "./request.ts";
import { JSON_TYPE, type HttpResponse } from "./response.ts";

/** The form without an encoding, with the encoded ones. */
export interface NegotiatedResponse extends ConditionalResponse {
  readonly encoded: ReadonlyMap<ContentCoding, ConditionalResponse>;
}

/** A shorter body fits into one packet with its headers. */
export const MIN_COMPRESSED_BYTES = 1024;

/** Also of a response that is too short now: its resource may grow. */
const VARY = { Vary: "Accept-Encoding" };

export function negotiatedJson(
  body: string | Uint8Array<ArrayBuffer>,
  cacheControl: string,
): NegotiatedResponse {
  return negotiatedContent(JSON_TYPE, body, cacheControl);
}

export function negotiatedContent(
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
  cacheControl: string,
): NegotiatedResponse {
  const compressed = codingsOf(body).map(
    (encoding) => [encoding, compressAtOnce(body, encoding)] as const,
  );
  return withForms(contentType, body, cacheControl, compressed);
}

/** The same of a body that takes long to compress. */
export async function negotiatedLongJson(
  body: string | Uint8Array<ArrayBuffer>,
  cacheControl: string,
): Promise<NegotiatedResponse> {
  const compressed = codingsOf(body).map(
    async (encoding) => [encoding, await compressInBackground(body, encoding)] as const,
  );
  return withForms(JSON_TYPE, body, cacheControl, await Promise.all(compressed));
}

function codingsOf(body: string | Uint8Array): readonly ContentCoding[] {
  return Buffer.byteLength(body) < MIN_COMPRESSED_BYTES ? [] : CONTENT_CODINGS;
}

function withForms(
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
  cacheControl: string,
  compressed: readonly (readonly [ContentCoding, Uint8Array<ArrayBuffer>])[],
): NegotiatedResponse {
  const digest = digestOf(body);
  const encoded = compressed.map(([encoding, content]) => {
    // A client knows its content by the first part; another version of zlib may write other bytes for it.
    const tag = `${digest}-${encoding}-${digestOf(content).slice(0, 8)}`;
    const form = { tag, headers: VARY, encoding };
    return [encoding, conditionalContent(contentType, content, cacheControl, form)] as const;
  });
  return {
    ...conditionalContent(contentType, body, cacheControl, { tag: digest, headers: VARY }),
    encoded: new Map(encoded),
  };
}

/**
 * A client that has any form has the content, whichever form it would get now. Its 304 has the validator of
 * that form, by which a cache finds what it has stored (RFC 9111 4.3.4).
 */
export function chooseNegotiated(
  response: NegotiatedResponse,
  request: Pick<RawRequest, "header">,
): HttpResponse {
  const chosen = chooseForm(response, request);
  const ifNoneMatch = request.header("if-none-match");
  if (ifNoneMatch === null) return chosen.full;
  const forms = [chosen, response, ...response.encoded.values()];
  return forms.find(({ etag }) => matchesETag(ifNoneMatch, etag))?.notModified ?? chosen.full;
}

function chooseForm(
  response: NegotiatedResponse,
  request: Pick<RawRequest, "header">,
): ConditionalResponse {
  if (response.encoded.size === 0) return response;
  const encoding = chooseEncoding(request.header("accept-encoding"));
  return encoding === "identity" ? response : (response.encoded.get(encoding) ?? response);
}
