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
  const url = `http://127.0.0.1:${port}${scenario.target}`;
  const first = await fetch(url, { redirect: "manual" });
  await first.arrayBuffer();
  const condition =
    scenario.isConditional === true ? { "If-None-Match": first.headers.get("ETag") ?? "" } : null;
  const response = await fetch(url, {
    redirect: "manual",
    // The default cache keeps fetch from adding `Cache-Control: no-cache` to a conditional request.
    cache: "default",
    ...(condition !== null && { headers: condition }),
  });
  if (response.status !== scenario.status) {
    throw new Error(`${scenario.target} responded ${response.status}, not ${scenario.status}`);
  }
  const own = new Set(["connection", "keep-alive", "date", "x-request-id"]);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
  const lines = Object.entries({
    Host: "127.0.0.1",
    Accept: "*/*",
    "User-Agent": "bench",
    ...condition,
  });
  return {
    response: { status: response.status, headers, body: await response.text() },
    request: `GET ${scenario.target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  };
}
