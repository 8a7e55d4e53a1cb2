import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpService } from "../http/create-http-service.ts";
import type { RawRequest } from "../http/request.ts";
import { noticeUntrustedProxy } from "./local-proxy.ts";

const RESPONSE = { status: 200, headers: [], body: null, isLive: false };
const service: HttpService = {
  respond: () => RESPONSE,
  protocolErrorResponse: () => RESPONSE,
};

const from = (remoteAddress: string | undefined, forwardedFor: string | null): RawRequest => ({
  method: "GET",
  target: "/",
  header: (name) => (name === "x-forwarded-for" ? forwardedFor : null),
  remoteAddress,
  body: () => assert.fail("The body is not read"),
});

function countNotices(trusted: readonly string[], requests: readonly RawRequest[]): number {
  const events: string[] = [];
  const watch = noticeUntrustedProxy(trusted, { event: (event) => void events.push(event) });
  // The listeners of one process share the notice.
  const services = [watch(service), watch(service)];
  for (const request of requests) {
    for (const watched of services) assert.equal(watched.respond(request), RESPONSE);
  }
  assert.ok(events.every((event) => event === "untrusted_proxy"));
  return events.length;
}

for (const peer of ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"]) {
  test(`X-Forwarded-For from ${peer} is noticed once, unless it is trusted`, () => {
    const request = from(peer, "203.0.113.9");
    assert.equal(countNotices([], [request, request, request]), 1);
    assert.equal(countNotices(["10.0.0.0/8"], [request]), 1);
    assert.equal(countNotices(["127.0.0.0/8", "::1"], [request]), 0);
  });
}

test("a request of another machine or without the header is not noticed", () => {
  const requests = [
    from("127.0.0.1", null),
    from("203.0.113.9", "198.51.100.7"),
    from("::ffff:203.0.113.9", "198.51.100.7"),
    from(undefined, "198.51.100.7"),
  ];
  assert.equal(countNotices([], requests), 0);
  assert.equal(countNotices(["127.0.0.1"], [from("127.0.0.1", "203.0.113.9")]), 0);
});
