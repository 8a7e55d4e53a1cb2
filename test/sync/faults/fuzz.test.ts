import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { SYNC_ERRORS, type SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import { openConnection } from "../../fixtures/raw-connection.ts";
import { createSeededRandom, type SeededRandom } from "../../fixtures/seeded-random.ts";
import { assertLogMatchesReceipts, createDevice, createLogReader, type Device } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { createInstance } from "./sync-instance.ts";

const REQUESTS = 1500;
const PARALLEL = 12;
/** Every request is complete, so that only a hang takes that long. */
const HANG_MS = 60_000;

/** On every response. */
const ALWAYS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-request-id": "",
};

const ROUTES = [
  "GET /v1/health",
  "GET /v1/capabilities",
  "GET /v1/instance-info",
  "GET /v1/authorize",
  "POST /v1/authorize",
  "POST /v1/token",
  "POST /v1/refresh",
  "POST /v1/push",
  "POST /v1/push",
  "POST /v1/push",
  "GET /v1/pull",
  "GET /v1/snapshot",
  "GET /v1/device",
];
// Not DELETE, which would revoke the device of the test.
const METHODS = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "get", "PROPFIND"];
const TARGET_BITS = ["/", "//", "%", "%00", "%2e", "..", "?", "?limit=1", "?limit=1e2", "&cursor="];
const QUERY_BITS = [
  "?limit=500",
  "?limit=0",
  "?limit=1&limit=2",
  "?cursor=",
  "?cursor=eyJ2ZXJzaW9uIjoxfQ",
  `?cursor=${Buffer.from('{"version":1,"generation":"x","offset":9}').toString("base64url")}`,
  "?%zz",
  "?lang=de",
  `?${"a".repeat(9000)}`,
  "?__proto__=1",
];
/** What a value is replaced by. */
const WEIRD = [
  "null",
  "true",
  "[]",
  "{}",
  '""',
  '"\\ud800"',
  '"\ud800"',
  '"\\u0000"',
  "-0",
  "1e999",
  "-1e-999",
  "9007199254740993",
  `1${"0".repeat(400)}`,
  '{"__proto__":{"deleted":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"a":1,"a":2}',
  "[".repeat(40) + "]".repeat(40),
  `"${"x".repeat(40_000)}"`,
  '"toString"',
];
const HEADERS = [
  "Origin: https://app.example.com",
  "Origin: https://evil.example.com",
  "Origin: null",
  "Sec-Fetch-Site: cross-site",
  "Sec-Fetch-Site: same-origin",
  "Content-Encoding: gzip",
  "Expect: 100-continue",
  "X-Request-Id: chosen-by-the-client",
  "X-Request-Id: <script>",
  "X-Service-CSRF: state-of-the-test-device",
  "X-Forwarded-For: 1.2.3.4, x",
  "Accept: text/html",
  "Accept-Language: de",
  "Range: bytes=0-5",
  "If-None-Match: *",
  "Cookie: a=b",
];
const CONTENT_TYPES = [
  "application/json",
  "application/json",
  "application/json; charset=utf-8",
  "application/json;;;",
  "text/plain",
  "APPLICATION/JSON",
  "",
];

test("every request gets a valid response, without an internal error or a hang", async (t) => {
  const seed = Number(process.env["SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed} (set SEED to see it again)`);
  const random = createSeededRandom(seed);
  const instance = await createInstance(t);
  const server = await instance.serve();
  const phone = await createDevice(server.ask, "phone");
  await phone.push(server.ask, createOperationMaker("phone", random)(20));
  const codes = new Map<string, number>();
  let sent = 0;

  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      while (sent < REQUESTS) {
        // Each with its own seed, independent of the order of the others.
        const own = createSeededRandom(seed + ++sent);
        const request = makeRequest(own, phone, createOperationMaker(`fuzz-${sent}`, own));
        const response = await sendRequest(server.port, request);
        try {
          checkResponse(response, codes);
        } catch (error) {
          const shown = JSON.stringify(request.toString("latin1").slice(0, 1500));
          throw new Error(`seed ${seed}: ${shown}\n${response.slice(0, 1500)}`, { cause: error });
        }
      }
    }),
  );
  t.diagnostic(JSON.stringify(Object.fromEntries([...codes].sort())));
  assert.ok((codes.get("200") ?? 0) > 20, "some requests got through");
  assert.ok((codes.get("invalid_sync_operation") ?? 0) > 20, "some operations were refused");

  // The log matches its receipts, and a device still works.
  await phone.refresh(server.ask);
  await phone.push(server.ask, createOperationMaker("after", random)(20));
  assertLogMatchesReceipts(await createLogReader(phone)(server.ask), [phone]);
  assert.equal((await phone.ask(server.ask, "/v1/snapshot")).status, 200);
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.equal(server.stderr(), "");
  assert.doesNotMatch(server.stdout(), /unexpected_error|"status":500/);
});

function makeRequest(random: SeededRandom, device: Device, make: (count: number) => string[]) {
  const { below, pick } = random;
  const sometimes = (chance: number) => below(chance) === 0;
  const [verb = "GET", path = "/"] = pick(ROUTES).split(" ");
  const method = sometimes(12) ? pick(METHODS) : verb;
  let target = path;
  if (sometimes(5)) target += pick(QUERY_BITS);
  if (sometimes(12)) target += pick(TARGET_BITS);
  const token = sometimes(8)
    ? mutateText(device.tokens.accessToken, random)
    : device.tokens.accessToken;
  const headers = ["Host: localhost", "Connection: close", `Authorization: Bearer ${token}`];
  for (let count = below(3); count > 0; count--) headers.push(pick(HEADERS));
  let body: Buffer = Buffer.alloc(0);
  if (verb === "POST") {
    body = Buffer.from(makeBody(path, random, device, make), "utf8");
    // Bytes that are no UTF-8.
    if (sometimes(10) && body.length > 0) body[below(body.length)] = pick([0xff, 0xc0, 0x80, 0]);
    headers.push(`Content-Type: ${sometimes(8) ? pick(CONTENT_TYPES) : "application/json"}`);
    headers.push(`Content-Length: ${body.length}`);
  }
  const head = `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

function makeBody(
  path: string,
  random: SeededRandom,
  device: Device,
  make: (count: number) => string[],
): string {
  const { below, pick } = random;
  const right: Record<string, string> = {
    "/v1/push": `{"operations":[${make(1 + below(4)).join(",")}]}`,
    "/v1/token": `{"grantType":"authorization_code","code":"x","codeVerifier":"${"v".repeat(43)}","redirectUri":"http://localhost:43823/callback","attemptId":"a"}`,
    // Not a genuine token, whose replay rightly revokes the device.
    "/v1/refresh": `{"grantType":"refresh_token","refreshToken":"${mutateText(device.tokens.refreshToken, random)}.not-genuine"}`,
    "/v1/authorize": `{"action":"begin","csrf":"state-of-the-test-device","attempt":{"username":"u","codeChallenge":"${"c".repeat(43)}","state":"state-of-the-test-device","redirectUri":"http://localhost:43823/callback","attemptId":"a","deviceId":"d"}}`,
  };
  let text = right[path] ?? "{}";
  for (let count = below(3); count > 0; count--) text = mutateJson(text, random);
  return below(10) === 0 ? pick(WEIRD) : text;
}

const VALUE = /"(?:[^"\\]|\\.)*"(?=\s*[,}\]])|(?<=[:[,])(?:-?\d[\d.eE+-]*|true|false|null)/g;
const NAME = /"[A-Za-z]+"(?=:)/g;

/** Replaces, repeats, renames or removes one place of a JSON text. */
function mutateJson(text: string, random: SeededRandom): string {
  const { below, pick } = random;
  const places = [...text.matchAll(pick([VALUE, VALUE, NAME]))];
  if (places.length === 0 || below(8) === 0) return mutateText(text, random);
  const place = pick(places);
  const end = place.index + place[0].length;
  const weird = pick(WEIRD);
  const isName = text[end] === ":";
  const put = isName
    ? pick([
        '"__proto__"',
        '"password"',
        '"x"',
        `"constructor":1,${place[0]}`,
        `${place[0]}:1,${place[0]}`,
      ])
    : weird;
  return text.slice(0, place.index) + put + text.slice(end);
}

function mutateText(text: string, { below, pick }: SeededRandom): string {
  const at = below(text.length + 1);
  return text.slice(0, at) + pick(["", "x", "A", '"', "}", "é", "0"]) + text.slice(at + below(3));
}

async function sendRequest(port: number, request: Buffer): Promise<string> {
  const connection = await openConnection(port);
  connection.socket.write(request);
  return Promise.race([
    connection.closed,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error("No response")), HANG_MS).unref();
    }),
  ]);
}

function checkResponse(response: string, codes: Map<string, number>): void {
  const count = (name: string) => codes.set(name, (codes.get(name) ?? 0) + 1);
  const final = response.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  assert.match(final, /^HTTP\/1\.1 \d{3} /, "there is a response");
  const status = Number(final.slice(9, 12));
  const [head = "", ...rest] = final.split("\r\n\r\n");
  const headers = new Map(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.slice(line.indexOf(":") + 2)]),
  );
  for (const [name, value] of Object.entries(ALWAYS)) {
    assert.ok(headers.get(name)?.startsWith(value), `${name} is ${headers.get(name)}`);
  }
  assert.notEqual(status, 500);
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const body = rest.join("\r\n\r\n");
  if (status < 400 || !isJson || body === "") {
    // A page for a person, or the response to HEAD.
    count(String(status));
    return;
  }
  const envelope = JSON.parse(Buffer.from(body, "latin1").toString()) as Record<string, string>;
  assert.deepEqual(Object.keys(envelope), ["error", "message", "requestId"]);
  const code = envelope["error"] as SyncErrorCode;
  assert.ok(code in SYNC_ERRORS, `${code} is declared`);
  assert.equal(envelope["requestId"], headers.get("x-request-id"));
  assert.ok((envelope["message"] ?? "").length <= 512);
  assert.equal(status, SYNC_ERRORS[code].status, code);
  count(code);
}
