import assert from "node:assert/strict";
import { test } from "node:test";
import { createChecker } from "../../../contract/check.ts";
import { ServerMetadata } from "../../../contract/events/schemas.ts";
import { createServerMetadata } from "./server-metadata.ts";

test("the metadata is what the contract says and leads to the routes", () => {
  const metadata = createServerMetadata("https://events.example.com", true);
  assert.deepEqual(createChecker(ServerMetadata).errors(metadata), []);
  assert.equal(metadata.issuer, "https://events.example.com");
  assert.equal(metadata.authorization_endpoint, "https://events.example.com/api/oauth/authorize");
  assert.equal(metadata.token_endpoint, "https://events.example.com/api/oauth/token");
  assert.equal(metadata.revocation_endpoint, "https://events.example.com/api/oauth/revoke");
  assert.equal(metadata.trellis_passkeys_supported, true);
});
