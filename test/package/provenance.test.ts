/** What `npm run release` says about the files that it built. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { describeBuild, openStatement, signStatement } from "../../scripts/release/provenance.ts";
import { createSoftwareBill } from "../../scripts/release/software-bill.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const keys = { "release-2026-01": publicKey.export({ format: "jwk" }).x ?? "" };
const statement = describeBuild({
  files: [{ name: "trellis-1.0.0.tgz", sha256: "ab".repeat(32) }],
  version: "1.0.0",
  gitCommit: "cd".repeat(20),
  lockFileSha256: "ef".repeat(32),
  builderId: "urn:example:builder",
  startedOn: new Date(0),
  finishedOn: new Date(1000),
});
const envelope = signStatement(statement, { keyId: "release-2026-01", privateKey });

test("the statement is that of in-toto with SLSA's predicate, and the release key opens it", () => {
  assert.deepEqual(openStatement(envelope, keys), statement);
  const opened = statement as Record<string, unknown>;
  assert.equal(opened["_type"], "https://in-toto.io/Statement/v1");
  assert.equal(opened["predicateType"], "https://slsa.dev/provenance/v1");
  assert.deepEqual(opened["subject"], [
    { name: "trellis-1.0.0.tgz", digest: { sha256: "ab".repeat(32) } },
  ]);
});

test("another payload, another type and another key open nothing", () => {
  const payload = Buffer.from(envelope.payload, "base64").toString().replace("1.0.0", "1.0.1");
  const changed = { ...envelope, payload: Buffer.from(payload).toString("base64") };
  assert.equal(openStatement(changed, keys), null);
  assert.equal(openStatement({ ...envelope, payloadType: "application/json" }, keys), null);
  assert.equal(openStatement(envelope, {}), null);
  const stranger = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }).x ?? "";
  assert.equal(openStatement(envelope, { "release-2026-01": stranger }), null);
});

test("the bill of materials names the package, its dependencies and no registry", () => {
  const text = createSoftwareBill(join(import.meta.dirname, "../.."), "trellis");
  const bill = JSON.parse(text) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { name: string }[];
  };
  assert.equal(bill.bomFormat, "CycloneDX");
  assert.equal(bill.metadata.component.name, "trellis");
  assert.ok(bill.components.some(({ name }) => name === "typebox"));
  assert.doesNotMatch(text, /registry|localhost|127\.0\.0\.1/);
});
