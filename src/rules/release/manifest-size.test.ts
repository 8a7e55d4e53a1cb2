import assert from "node:assert/strict";
import { test } from "node:test";
import { createRelease } from "../../../test/fixtures/catalog.ts";
import { toPublicRelease } from "./catalog.ts";
import { envelopeBytes, explainManifestSize, isTooLarge } from "./manifest-size.ts";

const release = toPublicRelease(createRelease(1, 0, 0));
const long = {
  ...toPublicRelease(createRelease(2, 0, 0)),
  notes: { ...release.notes, added: ["x".repeat(300 * 1024)] },
};

test("a manifest of up to 1 MiB is not too large, and one byte more is", () => {
  assert.equal(isTooLarge(1_048_576), false);
  assert.equal(isTooLarge(1_048_577), true);
});

test("from 256 KiB on the releases are named that take the place, and what in them", () => {
  const payload = { releases: [long, release], withdrawn: [] };
  assert.equal(explainManifestSize(262_143, payload), null);
  assert.match(
    explainManifestSize(262_144, payload) ?? "",
    /^1\.0\.2 takes 30\d KiB, most of it notes; 1\.0\.1 takes \d KiB, most of it \w+; what was withdrawn takes 1 KiB$/,
  );
});

test("the bytes of an envelope are known before it is signed", () => {
  const payload = { text: "ä".repeat(1000) };
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url").length;
  assert.ok(envelopeBytes(payload) >= encoded && envelopeBytes(payload) < encoded + 400);
});
