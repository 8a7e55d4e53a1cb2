import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Candidate } from "../measure.ts";
import type { Scenario } from "./scenarios.ts";

/** A server that is sent the recorded request again and again. */
export type CreateCandidate = (
  scenario: Scenario,
  request: string,
  server: { readonly pid: number; readonly port: number },
) => Candidate;

/** The response of the service, for the bare server to repeat, and the request for it. */
export async function record({ port }: { readonly port: number }, scenario: Scenario) {
  const { target, status, isConditional = false, acceptEncoding } = scenario;
  const accepted: Headers =
    acceptEncoding === undefined ? {} : { "Accept-Encoding": acceptEncoding };
  const first = await ask(port, target, accepted);
  const condition: Headers = isConditional ? { "If-None-Match": first.headers["ETag"] ?? "" } : {};
  const response = await ask(port, target, { ...accepted, ...condition });
  if (
    response.status === 200 &&
    acceptEncoding !== undefined &&
    !response.headers["Content-Encoding"]
  ) {
    throw new Error(`${target} responded without an encoding`);
  }
  if (response.status !== status) {
    throw new Error(`${target} responded ${response.status}, not ${status}`);
  }
  const headers = {
    Host: "127.0.0.1",
    Accept: "*/*",
    "User-Agent": "bench",
    ...accepted,
    ...condition,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { response, request: `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n` };
}

type Headers = Readonly<Record<string, string>>;

/** What `node:http` adds to each response, and the request id, which a bare server makes too. */
const OWN = new Set(["Connection", "Keep-Alive", "Date", "X-Request-Id"]);

/** Unlike `fetch`, it has the names of the headers as they were sent. */
async function ask(port: number, path: string, headers: Headers) {
  const request = get({ host: "127.0.0.1", port, path, headers });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const { statusCode: status = 0, rawHeaders } = response;
  const sent = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!OWN.has(name)) sent.set(name, rawHeaders[index + 1] ?? "");
  }
  return {
    status,
    headers: Object.fromEntries(sent),
    body: (await buffer(response)).toString("base64"),
  };
}
