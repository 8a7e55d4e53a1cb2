/** Checks that the cases of several services share. */
import { MAX_TARGET_BYTES } from "../src/contract/route.ts";
import { skipUnless } from "./case.ts";
import {
  describeResponse,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectSame,
  expectStatus,
  fail,
} from "./expect.ts";
import type { Origin, ReceivedResponse, SentHeaders } from "./http.ts";
import type { ServerUnderTest } from "./server-under-test.ts";

/** Makes the run of a case that expects this header on every response, or its absence. */
export function everyResponseHas(
  name: string,
  value: string | undefined,
): (server: ServerUnderTest) => Promise<void> {
  return (server) => server.checkEveryResponse((response) => expectHeader(response, name, value));
}

/** Returns the request id that the server generated. */
export function expectRequestId(response: ReceivedResponse): string {
  const pattern = /^[A-Za-z0-9_-]{22}$/;
  return expectHeaderMatch(response, "X-Request-Id", pattern, "22 Base64URL characters");
}

/** `sent` is an id of the caller, which the server must not use as its own. */
export async function expectNewRequestIds(
  api: Origin,
  paths: readonly string[],
  sent?: string,
): Promise<void> {
  const seen = new Set(sent === undefined ? [] : [sent]);
  for (const path of paths) {
    const response = await api.get(path, sent === undefined ? {} : { "X-Request-Id": sent });
    const id = response.header("X-Request-Id") ?? "none";
    if (seen.has(id)) fail(response, "an X-Request-Id that was not used before", id);
    seen.add(id);
  }
}

export async function expectHsts(server: ServerUnderTest): Promise<void> {
  const isHttps = server.publicUrl.startsWith("https:");
  skipUnless(isHttps, "The base URL is plain http; give the https one with --public-url");
  await server.checkEveryResponse((response) =>
    expectHeaderMatch(
      response,
      "Strict-Transport-Security",
      /(?:^|;\s*)max-age=[1-9][0-9]*/i,
      "a positive max-age",
    ),
  );
}

export function expectNoFraming(server: ServerUnderTest): Promise<void> {
  return server.checkEveryResponse((response) => {
    if (response.header("X-Frame-Options")?.toUpperCase() === "DENY") return;
    expectHeaderMatch(
      response,
      "Content-Security-Policy",
      /(?:^|;)\s*frame-ancestors 'none'\s*(?:;|$)/,
      "frame-ancestors 'none'",
    );
  });
}

/** Expects that a target of 8 KiB is routed, and that a longer one is too long. */
export async function expectTargetLimit(
  api: Origin,
  expectNotFound: (response: ReceivedResponse) => unknown,
  expectTooLong: (response: ReceivedResponse) => unknown,
): Promise<void> {
  const ofLength = (length: number) => `/${"y".repeat(length - api.targetOf("/").length)}`;
  expectNotFound(await api.get(ofLength(MAX_TARGET_BYTES)));
  // A proxy may remove the path of the base URL before the server sees the target.
  expectTooLong(await api.get(ofLength(MAX_TARGET_BYTES + api.targetOf("").length + 1)));
}

/** HEAD has the status of GET and the same values of these headers. */
export async function expectHeadLikeGet(
  api: Origin,
  path: string,
  requestHeaders: SentHeaders,
  names: readonly string[],
): Promise<void> {
  const get = await api.get(path, requestHeaders);
  const head = await api.send("HEAD", path, requestHeaders);
  expectStatus(head, get.status);
  for (const name of names) expectHeader(head, name, get.header(name));
}

const HEADERS_END = "\r\n\r\n";

export async function expectHeadHasNoBody(api: Origin, paths: readonly string[]): Promise<void> {
  const host = new URL(api.url).host;
  await expectEach(paths, async (path) => {
    const asked = `HEAD ${path}`;
    // An HTTP client hides the body of a response to HEAD, so the case reads the bytes.
    const bytes = await api.sendRaw(
      `HEAD ${api.targetOf(path)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close${HEADERS_END}`,
    );
    const text = Buffer.from(bytes).toString("latin1");
    const end = text.indexOf(HEADERS_END);
    if (!text.startsWith("HTTP/1.1 ") || end < 0) fail(asked, "an HTTP response", text);
    const rest = text.length - end - HEADERS_END.length;
    if (rest > 0) fail(asked, "no body", `${rest} bytes after the headers`);
  });
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export type MethodsByPath = Readonly<Record<string, readonly string[]>>;

/** Every other method gets the given error, and `Allow` names the methods of the path. */
export async function expectOtherMethodsRefused(
  api: Origin,
  methodsByPath: MethodsByPath,
  expectError: (response: ReceivedResponse) => unknown,
): Promise<void> {
  await expectEach(Object.entries(methodsByPath), ([path, allowed]) =>
    expectEach(
      METHODS.filter((method) => !allowed.includes(method)),
      async (method) => {
        const response = await api.send(method, path);
        expectError(response);
        const named = (response.header("Allow") ?? "")
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "" && name !== "OPTIONS");
        expectSame(response, "Allow", named.toSorted(), allowed.toSorted());
      },
    ),
  );
}

export function sendPreflight(
  api: Origin,
  origin: string,
  path: string,
  method: string,
  headers: readonly string[] = [],
): Promise<ReceivedResponse> {
  return api.send("OPTIONS", path, {
    Origin: origin,
    "Access-Control-Request-Method": method,
    ...(headers.length > 0 && { "Access-Control-Request-Headers": headers.join(",") }),
  });
}

export async function expectPreflightAllows(
  api: Origin,
  origin: string,
  path: string,
  method: string,
  headers: readonly string[],
): Promise<void> {
  const response = await sendPreflight(api, origin, path, method, headers);
  expectStatus(response, 204);
  expectNoBody(response);
  if (isAllowedByPreflight(response, origin, method, headers)) return;
  fail(response, "a preflight that browsers take for a yes", describeResponse(response));
}

/** Browsers send these whatever `Access-Control-Allow-Methods` lists. */
const CORS_SAFELISTED_METHODS = new Set(["GET", "HEAD", "POST"]);

/** Whether a browser would send the request after this response (Fetch, CORS-preflight fetch). */
export function isAllowedByPreflight(
  response: ReceivedResponse,
  origin: string,
  method: string,
  headers: readonly string[],
): boolean {
  const list = (name: string) =>
    (response.header(name) ?? "").split(",").map((item) => item.trim().toLowerCase());
  const methods = list("Access-Control-Allow-Methods");
  const allowed = list("Access-Control-Allow-Headers");
  return (
    response.status >= 200 &&
    response.status < 300 &&
    ["*", origin].includes(response.header("Access-Control-Allow-Origin") ?? "") &&
    (CORS_SAFELISTED_METHODS.has(method) || methods.includes(method.toLowerCase())) &&
    headers.every((name) => allowed.includes(name) || allowed.includes("*"))
  );
}

/** Sends bytes that are no HTTP to a path that takes GET and to one that takes POST. */
export async function sendMalformedHttp(
  api: Origin,
  getPath: string,
  postPath: string,
): Promise<void> {
  const get = `GET ${getPath}`;
  const post = `POST ${postPath} HTTP/1.1\r\nHost: x\r\n`;
  const requests = [
    "\u0000\u0001\u0002\u0003\r\n\r\n",
    "GET\r\n\r\n",
    `${get}\r\n\r\n`,
    `${get} HTTP/9.9\r\nHost: x\r\n\r\n`,
    `${get} HTTP/1.1\r\n\r\n`,
    `${get} HTTP/1.1\r\nHost: x\r\nNo colon here\r\n\r\n`,
    `${get} HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n`,
    "GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET ?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    `${post}Content-Length: -5\r\n\r\n`,
    `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `${post}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ];
  await Promise.all(requests.map((bytes) => api.sendRaw(bytes)));
}
