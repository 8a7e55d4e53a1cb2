import assert from "node:assert/strict";
import { test } from "node:test";
import { hideSecrets } from "./hide-secrets.ts";

test("tokens, codes and proofs are not shown, and the rest is", () => {
  assert.equal(
    hideSecrets('{"code":"c0de","proof":"pr00f","state":"open","refreshToken":"trs_rt_abc"}'),
    '{"code":"…","proof":"…","state":"open","refreshToken":"…"}',
  );
  assert.equal(hideSecrets("Bearer trs_at_abc-_1"), "Bearer …");
  assert.equal(hideSecrets("got trs_rt_abc."), "got trs_rt_…");
  assert.equal(hideSecrets('{"error":"invalid_grant"}'), '{"error":"invalid_grant"}');
});
