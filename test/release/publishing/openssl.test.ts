/** OpenSSL agrees: the signature is plain Ed25519 over the payload's bytes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";

/** RFC 8410: the header of an Ed25519 public key, before its 32 bytes. */
const SPKI_HEADER = Buffer.from("302a300506032b6570032100", "hex");

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

test(
  "openssl accepts the signature and refuses a changed payload",
  { skip: !hasOpenssl },
  async (t) => {
    const fixture = await createCatalogFixture({ releases: 3 });
    const folder = mkdtempSync(join(tmpdir(), "trellis-openssl-"));
    t.after(() => {
      rmSync(folder, { recursive: true });
      return fixture.remove();
    });
    const envelope = JSON.parse(readFileSync(join(fixture.folder, "manifest.json"), "utf8"));
    const payload = Buffer.from(envelope.payload, "base64url");
    const raw = Buffer.from(fixture.keys[envelope.keyId] ?? "", "base64url");
    const spki = Buffer.concat([SPKI_HEADER, raw]).toString("base64");
    const write = (name: string, content: string | Buffer) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const key = write("key.pem", `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`);
    const signature = write("signature", Buffer.from(envelope.signature, "base64url"));
    const verify = (file: string) =>
      spawnSync("openssl", [
        "pkeyutl",
        "-verify",
        "-rawin",
        "-pubin",
        "-inkey",
        key,
        "-sigfile",
        signature,
        "-in",
        file,
      ]).status;

    assert.equal(verify(write("payload", payload)), 0);
    const changed = Buffer.from(payload);
    changed[changed.length - 10] = (changed[changed.length - 10] ?? 0) ^ 1;
    assert.notEqual(verify(write("changed", changed)), 0);
    assert.notEqual(
      verify(write("reserialised", JSON.stringify(JSON.parse(payload.toString()), null, 2))),
      0,
    );
  },
);
