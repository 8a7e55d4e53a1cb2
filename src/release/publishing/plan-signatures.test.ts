/** A file that is too large to be in memory, of which only the digests are known. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { FIXTURE_SETTINGS } from "../../../test/fixtures/catalog.ts";
import { nodeFiles } from "../catalog/file-port.ts";
import { createCatalogReader } from "../catalog/read-catalog.ts";
import type { HashedFile } from "./hash-file.ts";
import { createKeyFile } from "./key-files.ts";
import {
  planMinisignFile,
  planSparkle,
  planSparkleSignature,
  type SignaturePlan,
} from "./plan-signatures.ts";

const folder = mkdtempSync(join(tmpdir(), "trellis-plans-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const LARGE: HashedFile = {
  kind: "hashed",
  name: "large.dmg",
  size: 2 ** 31,
  sha256: "",
  sha512: "",
  blake2b512: Buffer.alloc(64),
  content: null,
  start: new Uint8Array(),
};

function planned(plan: SignaturePlan | { kind: "refused"; message: string }): SignaturePlan {
  if (plan.kind === "refused") assert.fail(plan.message);
  return plan;
}

test("is not signed for Sparkle, and the message says what to do", async () => {
  const key = await createKeyFile(folder, "mac", undefined);
  assert.ok(key.kind === "created");
  const publicKey = Buffer.from(key.publicKey, "base64url").toString("base64");
  const settings = { ...FIXTURE_SETTINGS, updaterKeys: { sparkle: { keyId: "mac", publicKey } } };
  const context = {
    folder,
    reader: createCatalogReader(folder),
    keysFolder: folder,
    files: nodeFiles,
    now: Date.now,
    lockWaitMs: 0,
  };
  const plan = planned(await planSparkle(context, settings, async () => undefined));
  assert.deepEqual(plan.needs, { blake2b512: false, content: true });
  const refused = plan.complete(LARGE);
  assert.match(
    refused.kind === "refused" ? refused.message : "signed",
    /"large\.dmg" is 2 GiB or larger.*sign it with Sparkle's sign_update.*--ed-signature/,
  );
  const signature = `${"A".repeat(86)}==`;
  const given = planned(planSparkleSignature(settings, signature)).complete(LARGE);
  assert.ok(given.kind === "complete");
  assert.equal(given.signature, signature);
  assert.match(given.warnings.join(), /not verified, because "large\.dmg" is 2 GiB or larger/);
});

test("has no legacy signature of minisign", async () => {
  const path = join(folder, "legacy.minisig");
  // The signature was made by minisign 0.11 of Debian.
  writeFileSync(
    path,
    `untrusted comment: signature from minisign secret key
RWQp15I04Dnf53+pRuZcc8ddh7RC7MljCksMX5j/C4lv8TXTIBvsdSvOzssE+e26tFLnSZhOPafIAEOxqFQc3iaiV5nw11A9AA4=
trusted comment: timestamp:1790000000\tfile:app.exe
zeghsdwgvXqtQaloxm4rdAkS0K/tfyGYvycSJNM441uo2+h/qbP0D5A7Vj9nfW8a9+VwtC5hbl0d1zJuNm7+Cw==
`,
  );
  const publicKey = "RWQp15I04Dnf529Tud5Vx0GTWqtDknRuAW+X7ZzSe6j9SBWKeu+4WW+x";
  const settings = {
    ...FIXTURE_SETTINGS,
    updaterKeys: { minisign: { keyId: "tauri", publicKey } },
  };
  const plan = planned(await planMinisignFile(settings, path));
  assert.deepEqual(plan.needs, { blake2b512: false, content: true });
  const refused = plan.complete(LARGE);
  assert.match(
    refused.kind === "refused" ? refused.message : "accepted",
    /too large for the legacy signature ".*legacy\.minisig".*sign its digest/,
  );
  const small = plan.complete({ ...LARGE, content: Buffer.from("the built file\n") });
  assert.equal(small.kind, "complete");
});
