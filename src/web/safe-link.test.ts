import assert from "node:assert/strict";
import { test } from "node:test";
import { httpsHref, policySource, siteUrl } from "./safe-link.ts";

test("only https addresses without a user name become links", () => {
  assert.equal(httpsHref("https://a.example/x y"), "https://a.example/x%20y");
  for (const address of [
    "http://a.example/",
    "javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "//a.example/",
    "/x",
    "",
    "https://",
    "https://bank.example@evil.example/",
    "https://user:secret@a.example/",
  ]) {
    assert.equal(httpsHref(address), null, address);
  }
});

test("a policy source is the origin with its port", () => {
  assert.equal(policySource("https://Media.Example:8443/a.png"), "https://media.example:8443");
});

test("a host that would end a directive of the policy is no source", () => {
  assert.notEqual(httpsHref("https://a.example;script-src/x"), null);
  assert.equal(policySource("https://a.example;script-src/x"), null);
  assert.equal(policySource("https://a'b.example/x"), null);
  assert.equal(policySource("https://[::1]/x"), null);
});

test("a configured address is reduced to the folder it names", () => {
  assert.equal(siteUrl("w", "http://localhost:4803/#download").href, "http://localhost:4803/");
  assert.equal(siteUrl("w", "https://a.example/app?x=1").href, "https://a.example/app/");
});

test("a configured address that is no web address is named in the error", () => {
  assert.throws(() => siteUrl("websiteUrl", "/here"), /websiteUrl must be .* not "\/here"/);
  assert.throws(() => siteUrl("websiteUrl", "ftp://a.example"), /websiteUrl must be/);
});
