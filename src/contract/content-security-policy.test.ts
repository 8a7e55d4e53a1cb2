import assert from "node:assert/strict";
import { test } from "node:test";
import { pageContentSecurityPolicy } from "./content-security-policy.ts";

test("the policy of a page is the one of the sync contract (Authentication 9)", () => {
  assert.equal(
    pageContentSecurityPolicy("n"),
    "default-src 'none'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'nonce-n'; style-src 'nonce-n'; img-src data:",
  );
  assert.match(
    pageContentSecurityPolicy("n", { formTarget: "app:" }),
    /; form-action 'self' app:; /,
  );
  const frames = ["http://localhost:1", "http://localhost:2"];
  assert.match(
    pageContentSecurityPolicy("n", { frames }),
    /; frame-src http:\/\/localhost:1 http:\/\/localhost:2; /,
  );
});
