import assert from "node:assert/strict";
import { test } from "node:test";
import { findRedirectError } from "./redirect-error.ts";

test("addresses of apps, on the web and on loopback, may be redirected to", () => {
  for (const uri of [
    "https://app.example/callback",
    "https://app.example",
    "https://app.example/callback?from=(a,b);c='d'&e=%20",
    "http://localhost:43823/callback",
    "http://app.localhost:43823/callback",
    "http://[::1]:8080/callback",
    "com.example.app:/callback",
    "my-app://callback",
  ]) {
    assert.equal(findRedirectError(uri, ["my-app"]), null, uri);
  }
});

test("schemes that run code, read data or lead elsewhere are refused", () => {
  for (const uri of [
    "callback",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "http://app.example/callback",
    "https://app.example/#x",
    "https://user@app.example/",
    "my-app://callback",
  ]) {
    assert.notEqual(findRedirectError(uri, []), null, uri);
  }
});

test("an address with characters outside of RFC 3986 is refused", () => {
  for (const uri of [
    "http://localhost:43823/callback\n",
    " https://app.example/",
    "my-app:\r\nSet-Cookie: a=b",
    "my-app://call back",
    "https://app.example/zurück",
    "https://app.example/€",
    "https://app.example\\@elsewhere.example/",
  ]) {
    assert.match(findRedirectError(uri, "any") ?? "", /escape/, JSON.stringify(uri));
  }
});
