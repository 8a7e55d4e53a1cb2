import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENTS_ROUTES } from "./events/routes.ts";
import { RELEASE_API } from "./release/feed-routes.ts";
import type { Route } from "./route.ts";
import {
  EVENTS_STRICTNESS,
  RELEASE_STRICTNESS,
  STRICTNESS,
  SYNC_STRICTNESS,
  type StrictnessReason,
} from "./strictness.ts";
import { SYNC_ROUTES } from "./sync/routes.ts";

test("whatever cannot be an address of the release service is 404 not_found", () => {
  for (const reason of [
    "malformed-request",
    "unroutable",
    "target-too-long",
    "malformed-target",
    "unknown-path",
    "method-not-allowed",
  ] as const) {
    assert.deepEqual(RELEASE_STRICTNESS.errorOf(reason), { status: 404, code: "not_found" });
  }
  assert.ok(RELEASE_STRICTNESS.ignores("unexpected-body"));
});

test("the pairs of the release service are those of its contract", () => {
  assert.deepEqual(
    RELEASE_STRICTNESS.pairs.map(({ status, code }) => `${status} ${code}`).toSorted(),
    [
      "400 invalid_channel",
      "400 invalid_pagination",
      "400 invalid_update_request",
      "404 artifact_not_found",
      "404 not_found",
      "404 platform_not_supported",
      "404 release_not_found",
      "500 internal_error",
      "503 manifest_unavailable",
    ],
  );
});

test("the token routes of OAuth refuse with 400 what others refuse with 415", () => {
  const { errorOf } = EVENTS_STRICTNESS;
  const reason = "unsupported-media-type";
  assert.deepEqual(errorOf(reason), { status: 415, code: "invalid_request" });
  for (const { path } of [EVENTS_ROUTES.redeemCode, EVENTS_ROUTES.revokeToken]) {
    assert.deepEqual(errorOf(reason, path), { status: 400, code: "invalid_request" });
  }
});

test("every response to what a route refuses is declared for the route", () => {
  const services = [
    { strictness: RELEASE_STRICTNESS, routes: RELEASE_API.routes },
    { strictness: SYNC_STRICTNESS, routes: Object.values(SYNC_ROUTES) },
    { strictness: EVENTS_STRICTNESS, routes: Object.values(EVENTS_ROUTES) },
  ];
  for (const { strictness, routes } of services) {
    for (const route of routes as readonly Route[]) {
      const place = route.body === undefined ? "routes without a body" : "routes with a body";
      const reasons = (Object.keys(STRICTNESS) as StrictnessReason[]).filter(
        (reason) =>
          ["every route", place].includes(STRICTNESS[reason].on) &&
          strictness.covers(reason) &&
          !strictness.ignores(reason),
      );
      for (const reason of reasons) {
        const { status, code } = strictness.errorOf(reason, route.path);
        const declared = route.responses[status];
        const label = `${route.operationId}: ${reason} is ${status} ${code}`;
        assert.ok(declared !== undefined, label);
        // A page tells its reason in words.
        if (declared.mediaType !== "text/html")
          assert.ok(declared.description.includes(code), label);
      }
    }
  }
});
