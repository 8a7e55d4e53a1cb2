import assert from "node:assert/strict";
import { test } from "node:test";
import { hideSecrets } from "./hide-secrets.ts";

test("tokens, codes and proofs in JSON are hidden, and the rest is shown", () => {
  assert.equal(
    hideSecrets('{"code":"c0de","proof":"pr00f","state":"open","refreshToken":"trs_rt_abc"}'),
    '{"code":"…","proof":"…","state":"open","refreshToken":"…"}',
  );
  assert.equal(hideSecrets("Bearer trs_at_abc-_1"), "Bearer …");
  assert.equal(hideSecrets("got trs_rt_abc."), "got trs_rt_…");
  assert.equal(hideSecrets('{"error":"invalid_grant"}'), '{"error":"invalid_grant"}');
});

test("tokens and codes in forms, addresses and cookies are hidden", () => {
  assert.equal(
    hideSecrets("grant_type=authorization_code&code=c0de&code_verifier=v-1&client_id=demo"),
    "grant_type=authorization_code&code=…&code_verifier=…&client_id=demo",
  );
  assert.equal(
    hideSecrets("http://localhost:43823/callback?code=c0de&state=open"),
    "http://localhost:43823/callback?code=…&state=open",
  );
  assert.equal(hideSecrets('{"access_token": "t0ken"}'), '{"access_token":"…"}');
  assert.equal(hideSecrets("GET /api/events?access_token=t0ken"), "GET /api/events?access_token=…");
  assert.equal(
    hideSecrets("__Host-trellis-events-session=abc-_1"),
    "__Host-trellis-events-session=…",
  );
  assert.equal(hideSecrets("trellis-events-known=abc.d-_1; x"), "trellis-events-known=…; x");
  assert.equal(hideSecrets("trellis-known-browser: abc.d-_1"), "trellis-known-browser: …");
});
