/** The nginx rules for the `server` of each origin: they send the response that the maps name. */
import { bodyRows } from "./nginx-decision.ts";
import { selectorResponses } from "./nginx-selector.ts";
import {
  HEADING,
  headerLine,
  headerLines,
  location,
  otherTypes,
  quote,
  typeLine,
  type NamedResponses,
} from "./nginx-syntax.ts";
import type { Recording } from "./record-responses.ts";

/** Replaced by the folder of the tree, whose name is a digest of everything in it. */
export const TREE_FOLDER = "@TREE_FOLDER@";

export function nginxApi({ addresses, responses }: Recording, upstream: string | null): string {
  const type = jsonType(responses);
  const types = otherTypes(responses);
  const headers = [
    ...headerLines(responses, "trellis"),
    headerLine("ETag", "$trellis_sent_etag"),
    headerLine("Content-Encoding", "$trellis_sent_encoding"),
  ];
  const legacy = `${quote(`${addresses.smartDownloadUrl}/`).slice(0, -1)}$trellis_search"`;
  return [
    HEADING,
    "# Include it inside the server { } of the API.",
    "",
    ...serverLines(),
    "error_page 418 =304 @trellis_unchanged;",
    ...types.map((_, index) => `error_page ${typeCode(index)} =200 @trellis_file${index};`),
    ...(upstream === null ? [] : ["error_page 421 = @trellis_live;"]),
    ...location("/", [
      ...fileLines(type),
      ...headers,
      ...actionLines(responses, "trellis_action", "trellis_body"),
      "if ($trellis_action = 302) { return 302 $trellis_artifact; }",
      `if ($trellis_action = 308) { return 308 ${legacy}; }`,
      "if ($trellis_action = unchanged) { return 418; }",
      ...types.map(
        (_, index) => `if ($trellis_action = file${index}) { return ${typeCode(index)}; }`,
      ),
      ...(upstream === null ? [] : ["if ($trellis_action = live) { return 421; }"]),
      // A missing file must not be reported with the headers of the successful response.
      FILE_LINE,
    ]),
    ...location("@trellis_redirect", emptyBody(headers)),
    ...location("@trellis_unchanged", [...fileLines(""), ...headers, FILE_LINE]),
    ...types.flatMap((other, index) =>
      location(`@trellis_file${index}`, [...fileLines(other), ...headers, FILE_LINE]),
    ),
    ...failureLocations(responses),
    ...(upstream === null ? [] : location("@trellis_live", liveLines(upstream))),
    "",
  ].join("\n");
}

/** Each form of a response is a file. */
const FILE_LINE = "try_files $trellis_file$trellis_suffix =500;";

/** A status that nginx itself never responds with. */
function typeCode(index: number): number {
  return 460 + index;
}

export function nginxSmartDownload({ responses }: Recording): string {
  const smart = selectorResponses(responses);
  const headers = headerLines(smart, "trellis_smart");
  return [
    HEADING,
    "# Include it inside the server { } of the smart-download origin.",
    "",
    ...serverLines(),
    ...location("/", [
      typeLine(jsonType(responses)),
      ...headers,
      ...actionLines(smart, "trellis_smart_action", "trellis_smart_body"),
      "return 302 $trellis_selection;",
    ]),
    ...location("@trellis_redirect", emptyBody(headers)),
    ...failureLocations(responses),
    "",
  ].join("\n");
}

function jsonType(responses: NamedResponses): string {
  return responses["health"]?.headers["Content-Type"] ?? "";
}

/** Requests that nginx refuses by itself get the service's error responses. */
function serverLines(): string[] {
  return [
    "large_client_header_buffers 4 16k;",
    "recursive_error_pages on;",
    "error_page 302 308 @trellis_redirect;",
    // A request without a readable path cannot go to a named location.
    "error_page 400 = /trellis_malformed;",
    "error_page 404 405 414 494 = @trellis_missing;",
    "error_page 403 500 501 502 503 504 = @trellis_failed;",
  ];
}

/** nginx's validators, ranges and types would differ from the service's. */
function fileLines(type: string): string[] {
  return [
    `root ${quote(`${TREE_FOLDER}/public`)};`,
    "etag off;",
    "if_modified_since off;",
    "max_ranges 0;",
    // What is compressed already would be compressed once more.
    "gzip off;",
    'add_header Last-Modified "";',
    typeLine(type),
  ];
}

/** Replaces the HTML body that nginx would send with a redirect. */
function emptyBody(headers: readonly string[]): string[] {
  return [typeLine(""), ...headers, 'return 200 "";'];
}

/** `return` cannot take its status from a variable. */
function actionLines(responses: NamedResponses, action: string, body: string): string[] {
  const statuses = Object.values(responses)
    .filter((response) => response.body !== null || response.status === 204)
    .map(({ status }) => status);
  return [...new Set(statuses)].map((status) => {
    const text = status === 204 ? "" : ` $${body}`;
    return `if ($${action} = ${status}) { return ${status}${text}; }`;
  });
}

/** The headers of failures are literal: a failure must not carry those of the failed response. */
function failureLocations(responses: NamedResponses): string[] {
  const missing = literalResponse(responses, "not_found");
  const failed = literalResponse(responses, "internal_error");
  return [
    ...location("= /trellis_malformed", [
      "internal;",
      ...missing.headers,
      `return 404 ${missing.body};`,
    ]),
    ...location("@trellis_missing", [...missing.headers, `return 404 ${missing.body};`]),
    ...location("@trellis_failed", [...failed.headers, `return 500 ${failed.body};`]),
  ];
}

function literalResponse(responses: NamedResponses, code: string) {
  const response = responses[code];
  if (response === undefined) throw new Error(`The service has no response for "${code}"`);
  const one = { [code]: response };
  return {
    headers: [typeLine(jsonType(responses)), ...headerLines(one, "trellis")],
    body: bodyRows(one)[0]?.[1] ?? '""',
  };
}

function liveLines(upstream: string): string[] {
  return [
    `proxy_pass ${upstream};`,
    "proxy_http_version 1.1;",
    'proxy_set_header Connection "";',
    "proxy_set_header Host $host;",
    "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
  ];
}
