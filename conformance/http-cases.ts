/** The cases of HTTP that all services share; each service runs them with its own table. */
import { isObject, type Members } from "../src/contract/is-object.ts";
import { MAX_TARGET_BYTES } from "../src/contract/route.ts";
import type { Strictness } from "../src/contract/strictness.ts";
import { parseJson } from "../src/rules/parse-json.ts";
import { skipUnless, type ConformanceCase } from "./case.ts";
import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectSame,
  expectStatus,
  fail,
} from "./expect.ts";
import type { Origin, ReceivedResponse, SentHeaders } from "./http.ts";

/** What the shared cases know of a service. */
export interface HttpTable {
  readonly health: string;
  expectHealth(response: ReceivedResponse): unknown;
  /** Paths that anyone may GET. */
  readonly publicPaths: readonly string[];
  readonly postPath: string;
  readonly methodsByPath: MethodsByPath;
  readonly requestId: RequestIdForm;
  /** What may be padded to the longest target, and its response. */
  readonly padded: {
    readonly path: string;
    expect(response: ReceivedResponse): unknown;
  };
  expectTooLong(response: ReceivedResponse): unknown;
  expectOtherMethod(response: ReceivedResponse, allowed: readonly string[]): unknown;
  readonly strictness: Pick<Strictness<string>, "errorOf" | "pairs">;
  /** The code in the body of an error. */
  codeOf(body: Members): unknown;
  /** The request id in the body of an error; absent where bodies have none. */
  readRequestId?(response: ReceivedResponse): string;
}

export type MethodsByPath = Readonly<Record<string, readonly string[]>>;

export interface RequestIdForm {
  readonly pattern: RegExp;
  readonly inWords: string;
  /** Whether the request id that a caller sends becomes the id of the request. */
  readonly isTakenFromCaller: boolean;
}

export interface SampleRequest {
  readonly path: string;
  readonly headers?: SentHeaders;
  /** The API when absent. */
  readonly origin?: Origin;
}

export interface ServerUnderTest {
  readonly api: Origin;
  /** The configured base URL, without a final slash. */
  readonly publicUrl: string;
  readonly http: HttpTable;
  /** A GET for every kind of response. */
  samples(): Promise<readonly SampleRequest[]>;
  /** Requests for the kinds of responses that no GET has. */
  otherRequests(): Promise<readonly (() => Promise<ReceivedResponse>)[]>;
}

type HttpCase = Omit<ConformanceCase<ServerUnderTest>, "id" | "section">;

export const NO_ROUTE = "/no/such/route";
const CALLER_ID = "0b8f6a52-54c4-4e0e-9d3c-0f6f2f2f7a11";
const HEADERS_OF_HEAD = [
  "Content-Type",
  "Cache-Control",
  "ETag",
  "Location",
  "Vary",
  "WWW-Authenticate",
  "X-Content-Type-Options",
];

const HTTP_CASES = {
  "health-says-ok": {
    title: "/health says ok and the version of the contract",
    async run({ api, http }) {
      http.expectHealth(await api.get(http.health));
    },
  },
  "every-answer-carries-a-request-id": {
    title: "Every answer has an X-Request-Id of 22 Base64URL characters",
    run: (server) =>
      checkEveryResponse(server, (response) => expectRequestId(response, server.http.requestId)),
  },
  "request-ids-are-new-for-every-request": {
    title: "A request id names one request: it never repeats and is never the caller's",
    async run({ api, http }) {
      const seen = new Set([CALLER_ID]);
      const headers = http.requestId.isTakenFromCaller ? {} : { "X-Request-Id": CALLER_ID };
      for (const path of [http.health, http.health, NO_ROUTE, NO_ROUTE]) {
        const response = await api.get(path, headers);
        const id = response.header("X-Request-Id") ?? "none";
        if (seen.has(id)) fail(response, "an X-Request-Id that was not used before", id);
        seen.add(id);
      }
    },
  },
  "error-bodies-repeat-the-request-id": {
    title: "The requestId of an error is the X-Request-Id of its answer",
    run: (server) =>
      checkEveryResponse(server, (response) => {
        if (response.status < 400 || isPage(response)) return;
        expectHeader(response, "X-Request-Id", server.http.readRequestId?.(response));
      }),
  },
  "every-answer-forbids-sniffing": {
    title: "Every answer tells browsers to believe its content type",
    run: everyResponseHas("X-Content-Type-Options", "nosniff"),
  },
  "every-answer-denies-framing": {
    title: "No answer can be shown in a frame",
    run: (server) =>
      checkEveryResponse(server, (response) => {
        if (response.header("X-Frame-Options")?.toUpperCase() === "DENY") return;
        const pattern = /(?:^|;)\s*frame-ancestors 'none'\s*(?:;|$)/;
        expectHeaderMatch(response, "Content-Security-Policy", pattern, "frame-ancestors 'none'");
      }),
  },
  "https-answers-carry-hsts": {
    title: "A server whose base URL is https tells browsers never to use plain http",
    async run(server) {
      const isHttps = server.publicUrl.startsWith("https:");
      skipUnless(isHttps, "The base URL is plain http; give the https one with --public-url");
      const pattern = /(?:^|;\s*)max-age=[1-9][0-9]*/i;
      await checkEveryResponse(server, (response) =>
        expectHeaderMatch(response, "Strict-Transport-Security", pattern, "a positive max-age"),
      );
    },
  },
  "head-answers-like-get": {
    title: "HEAD answers with the status and headers of GET",
    async run(server) {
      await expectEach(await server.samples(), async ({ path, headers, origin = server.api }) => {
        const get = await origin.get(path, headers);
        const head = await origin.send("HEAD", path, headers);
        expectStatus(head, get.status);
        for (const name of HEADERS_OF_HEAD) expectHeader(head, name, get.header(name));
      });
    },
  },
  "head-has-no-body": {
    title: "Nothing follows the headers of an answer to HEAD",
    run: ({ api, http }) =>
      expectEach([...http.publicPaths, NO_ROUTE], (path) => expectHeadWithoutBody(api, path)),
  },
  "other-methods-are-405": {
    title: "Another method on a known path is 405, and Allow names those there are",
    run: expectOtherMethodsRefused,
  },
  "over-long-targets-are-414": {
    title: "A request target of 8 KiB is looked at, a longer one is 414",
    async run({ api, http }) {
      const padTo = (length: number, start: string) =>
        start + "y".repeat(length - api.targetOf(start).length);
      const { path, expect } = http.padded;
      expect(await api.get(padTo(MAX_TARGET_BYTES, path)));
      // A proxy may remove the path of the base URL before the server sees the target.
      const tooLong = MAX_TARGET_BYTES + api.targetOf("").length + 1;
      http.expectTooLong(await api.get(padTo(tooLong, "/")));
      http.expectTooLong(await api.get(padTo(tooLong, `${http.health}?`)));
    },
  },
  "malformed-http-gets-a-declared-error": {
    title: "Bytes that are no HTTP get an error that the service declares, or a closed connection",
    run: ({ api, http }) =>
      expectEach(
        malformedRequests(http.health, http.postPath),
        async (bytes) => void expectDeclared(bytes, await api.sendRaw(bytes), http),
      ),
  },
  "what-no-route-can-mean-is-refused": {
    title: "A method or a target that HTTP does not have gets the error that is declared for it",
    run: ({ api, http }) =>
      expectEach(
        [`FOO ${http.health}`, `GET ${http.health}\u0000`, `GET ${http.health}\u007f`],
        async (line) => {
          const bytes = `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
          const pair = expectDeclared(bytes, await api.sendRaw(bytes), http);
          const { status, code } = http.strictness.errorOf("unroutable");
          expectSame(line, "the error", pair, `${status} ${code}`);
        },
      ),
  },
  "malformed-http-does-not-stop-the-server": {
    title: "Bytes that are no HTTP do not keep the server from answering the next request",
    async run({ api, http }) {
      const requests = malformedRequests(http.health, http.postPath);
      await Promise.all(requests.map((bytes) => api.sendRaw(bytes)));
      http.expectHealth(await api.get(http.health));
    },
  },
} satisfies Record<string, HttpCase>;

/** A shared case, by its id, for a service that must meet it because of this section. */
export function httpCase<Id extends keyof typeof HTTP_CASES>(
  id: Id,
  section: string,
  title: string = HTTP_CASES[id].title,
) {
  return { [id]: sharedCase(id, section, title) };
}

/** The shared case alone, for a service at which the requirement has another id. */
export function sharedCase(id: keyof typeof HTTP_CASES, section: string, title: string) {
  return { title, section, run: HTTP_CASES[id].run };
}

export async function checkEveryResponse(
  server: ServerUnderTest,
  check: (response: ReceivedResponse) => unknown,
): Promise<void> {
  const { api } = server;
  const samples = await server.samples();
  const requests = [
    ...samples.map(
      ({ path, headers, origin = api }) =>
        () =>
          origin.get(path, headers),
    ),
    ...(await server.otherRequests()),
    () => api.get("/%zz"),
    () => api.get(`/${"y".repeat(MAX_TARGET_BYTES)}`),
  ];
  await expectEach(requests, async (send) => check(await send()));
}

/** Makes the run of a case that expects this header on every response, or its absence. */
export function everyResponseHas(
  name: string,
  value: string | undefined,
): (server: ServerUnderTest) => Promise<void> {
  return (server) => checkEveryResponse(server, (response) => expectHeader(response, name, value));
}

/** Returns the request id that the server generated. */
export function expectRequestId(
  response: ReceivedResponse,
  { pattern, inWords }: RequestIdForm,
): string {
  return expectHeaderMatch(response, "X-Request-Id", pattern, inWords);
}

export function isPage(response: ReceivedResponse): boolean {
  return response.header("Content-Type")?.startsWith("text/html") === true;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export async function expectOtherMethodsRefused(
  { api, http }: ServerUnderTest,
  methodsByPath: MethodsByPath = http.methodsByPath,
): Promise<void> {
  await expectEach(Object.entries(methodsByPath), ([path, allowed]) =>
    expectEach(
      METHODS.filter((method) => !allowed.includes(method)),
      async (method) => http.expectOtherMethod(await api.send(method, path), allowed),
    ),
  );
}

export function expectAllow(response: ReceivedResponse, methods: readonly string[]): void {
  const named = splitList(response.header("Allow")).filter((name) => name !== "OPTIONS");
  expectSame(response, "Allow", named.toSorted(), methods.toSorted());
}

const HEADERS_END = "\r\n\r\n";

async function expectHeadWithoutBody(api: Origin, path: string): Promise<void> {
  const { host } = new URL(api.url);
  // An HTTP client hides the body of a response to HEAD, so the case reads the bytes.
  const bytes = await api.sendRaw(
    `HEAD ${api.targetOf(path)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close${HEADERS_END}`,
  );
  const text = Buffer.from(bytes).toString("latin1");
  const end = text.indexOf(HEADERS_END);
  const asked = `HEAD ${path}`;
  if (!text.startsWith("HTTP/1.1 ") || end < 0) fail(asked, "an HTTP response", text);
  const rest = text.length - end - HEADERS_END.length;
  if (rest > 0) fail(asked, "no body", `${rest} bytes after the headers`);
}

/** Returns the status and the code of a raw response to bytes; null when there is none, or no error. */
function expectDeclared(
  sent: string,
  received: Uint8Array,
  { strictness, codeOf }: HttpTable,
): string | null {
  const text = Buffer.from(received).toString("latin1");
  if (text === "") return null;
  const [, status = "", body = ""] = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n([^]*)$/.exec(text) ?? [];
  if (status !== "" && Number(status) < 400) return null;
  const value = parseJson(body);
  const pair = `${status} ${String(isObject(value) ? codeOf(value) : body)}`;
  const declared = strictness.pairs.map((known) => `${known.status} ${known.code}`);
  return declared.includes(pair) ? pair : fail(JSON.stringify(sent), "a declared error", pair);
}

/** The items of a header that is a list (RFC 9110, 5.6.1). */
export function splitList(value = ""): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Spellings of `/first/second` that lenient servers take for it. */
export function misspell(path: string): string[] {
  const [, first = "", second = ""] = path.split("/");
  const capitalized = second.charAt(0).toUpperCase() + second.slice(1);
  const code = second.charCodeAt(2).toString(16);
  return [
    `/${first.toUpperCase()}/${second}`,
    `/${first}/${capitalized}`,
    `${path}/`,
    `/${path}`,
    `/${first}//${second}`,
    `/${first}/./${second}`,
    `/${first}/x/../${second}`,
    `/${first}%2F${second}`,
    `/${first}/${second.slice(0, 2)}%25${code}${second.slice(3)}`,
    `${path}%2F`,
    `${path};x`,
  ];
}

/** Bytes that are no HTTP, for a path that takes GET and one that takes POST. */
function malformedRequests(getPath: string, postPath: string): string[] {
  const get = `GET ${getPath}`;
  const post = `POST ${postPath} HTTP/1.1\r\nHost: x\r\n`;
  return [
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
}

/** Query values that lenient parsers take for positive integers. */
export const NOT_AN_INTEGER = [
  "",
  "0",
  "-1",
  "05",
  "+5",
  "%2B5",
  "%205",
  "5%20",
  "5%0A",
  "0x10",
  "1e2",
  "1.0",
  "1.5",
  "1,0",
  "5abc",
  "five",
  "NaN",
  "Infinity",
  "null",
  "%D9%A5",
];

/** Not the value of an integer that is bounded either. */
export const NOT_A_BOUNDED_INTEGER = [
  ...NOT_AN_INTEGER,
  "10000000000000000",
  "99999999999999999999999",
];
