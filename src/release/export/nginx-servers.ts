/** The rules for nginx that stand in the `server` of each origin: they only do what the maps decided. */
import { headerLine, headerLines, type NamedResponses } from "./nginx-headers.ts";
import { selectorResponses } from "./nginx-selector.ts";
import { HEADING, indent, quote } from "./nginx-syntax.ts";
import { bodyRows } from "./nginx-verdict.ts";
import type { Recording } from "./record-responses.ts";

/** Stands for the folder of the tree, whose name follows from everything in it. */
export const TREE_FOLDER = "@TREE_FOLDER@";

export function nginxApi({ addresses, answers }: Recording, upstream: string | null): string {
  const type = jsonType(answers);
  const headers = [...headerLines(answers, "trellis"), headerLine("ETag", "$trellis_sent_etag")];
  const legacy = `${quote(`${addresses.smartDownloadUrl}/`).slice(0, -1)}$is_args$args"`;
  return [
    HEADING,
    "# Include it inside the server { } of the API.",
    "",
    ...serverLines(),
    "error_page 418 =304 @trellis_unchanged;",
    ...(upstream === null ? [] : ["error_page 421 = @trellis_live;"]),
    ...location("/", [
      ...fileLines(type),
      ...headers,
      ...actionLines(answers, "trellis_action", "trellis_body"),
      "if ($trellis_action = 302) { return 302 $trellis_artifact; }",
      `if ($trellis_action = 308) { return 308 ${legacy}; }`,
      "if ($trellis_action = unchanged) { return 418; }",
      ...(upstream === null ? [] : ["if ($trellis_action = live) { return 421; }"]),
      // A tree that is not whole must not be told of with the headers of a good answer.
      "try_files $trellis_file =500;",
    ]),
    ...location("@trellis_redirect", emptyBody(headers)),
    ...location("@trellis_unchanged", [
      ...fileLines(""),
      ...headers,
      "try_files $trellis_file =500;",
    ]),
    ...failureLocations(answers),
    ...(upstream === null ? [] : location("@trellis_live", liveLines(upstream))),
    "",
  ].join("\n");
}

export function nginxSmartDownload({ answers }: Recording): string {
  const smart = selectorResponses(answers);
  const headers = headerLines(smart, "trellis_smart");
  return [
    HEADING,
    "# Include it inside the server { } of the smart-download origin.",
    "",
    ...serverLines(),
    ...location("/", [
      typeLine(jsonType(answers)),
      ...headers,
      ...actionLines(smart, "trellis_smart_action", "trellis_smart_body"),
      "return 302 $trellis_selection;",
    ]),
    ...location("@trellis_redirect", emptyBody(headers)),
    ...failureLocations(answers),
    "",
  ].join("\n");
}

function jsonType(answers: NamedResponses): string {
  return answers["health"]?.headers["Content-Type"] ?? "";
}

/** What nginx refuses by itself is worded like the service's refusals. */
function serverLines(): string[] {
  return [
    "large_client_header_buffers 4 16k;",
    "recursive_error_pages on;",
    "error_page 302 308 @trellis_redirect;",
    // A request without a readable path cannot go to a named location.
    "error_page 400 = /trellis_malformed;",
    "error_page 404 405 = @trellis_missing;",
    "error_page 414 = @trellis_too_long;",
    "error_page 494 = @trellis_overflow;",
    "error_page 403 500 501 502 503 504 = @trellis_failed;",
  ];
}

/** nginx's own validators, ranges and types would differ from the service's. */
function fileLines(type: string): string[] {
  return [
    `root ${quote(`${TREE_FOLDER}/public`)};`,
    "etag off;",
    "if_modified_since off;",
    "max_ranges 0;",
    'add_header Last-Modified "";',
    typeLine(type),
  ];
}

function typeLine(type: string): string {
  return `types { } default_type ${quote(type)};`;
}

/** Without it nginx would describe a redirect in HTML. */
function emptyBody(headers: readonly string[]): string[] {
  return [typeLine(""), ...headers, 'return 200 "";'];
}

/** `return` cannot take its status from a variable. */
function actionLines(answers: NamedResponses, action: string, body: string): string[] {
  const statuses = Object.values(answers)
    .filter((answer) => answer.body !== null || answer.status === 204)
    .map(({ status }) => status);
  return [...new Set(statuses)].map((status) => {
    const text = status === 204 ? "" : ` $${body}`;
    return `if ($${action} = ${status}) { return ${status}${text}; }`;
  });
}

/** Their headers are literal: a failure must not carry those of the answer that failed. */
function failureLocations(answers: NamedResponses): string[] {
  const missing = literalResponse(answers, "not_found");
  const failed = literalResponse(answers, "internal_error");
  return [
    ...location("= /trellis_malformed", [
      "internal;",
      ...missing.headers,
      `if ($trellis_unreadable) { return 404 ${missing.body}; }`,
      `return 400 ${missing.body};`,
    ]),
    ...location("@trellis_missing", [...missing.headers, `return 404 ${missing.body};`]),
    ...location("@trellis_too_long", [...missing.headers, `return 414 ${missing.body};`]),
    ...location("@trellis_overflow", [...missing.headers, `return 431 ${missing.body};`]),
    ...location("@trellis_failed", [...failed.headers, `return 500 ${failed.body};`]),
  ];
}

function literalResponse(answers: NamedResponses, code: string) {
  const answer = answers[code];
  if (answer === undefined) throw new Error(`The service did not word "${code}"`);
  const one = { [code]: answer };
  return {
    headers: [typeLine(jsonType(answers)), ...headerLines(one, "trellis")],
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

function location(name: string, lines: readonly string[]): string[] {
  return ["", `location ${name} {`, ...indent(lines), "}"];
}
