import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { createSigner } from "../../../conformance/release/driver/signer.ts";
import { createPayload } from "../../../test/fixtures/signed-envelope.ts";
import { NO_MANIFEST_MEMORY, verifyNextManifest } from "../../rules/release/manifest-memory.ts";
import {
  NO_UPDATE_STATE,
  readUpdateState,
  writeUpdateState,
  type UpdateState,
} from "./stored-state.ts";

const signer = createSigner("release-2026-01");
const other = createSigner("release-2026-02");
const trust = {
  keys: { [signer.keyId]: signer.publicKey, [other.keyId]: other.publicKey },
  product: "habits",
};
const envelope = JSON.stringify(signer.seal(createPayload({ sequence: 7 })));
const validator = { etag: '"abc"', receivedAt: null };
const installationId = "AAAAAAAAAAAAAAAAAAAAAA";

let state: UpdateState;
/** The state without what has no digest. */
let stateBefore: UpdateState;
before(async () => {
  const first = { ...trust, memory: NO_MANIFEST_MEMORY, now: 0 };
  const verified = await verifyNextManifest(envelope, first);
  assert.ok(verified.kind === "verified");
  state = { memory: verified.memory, validator, envelope, installationId };
  stateBefore = { ...state, validator: null, installationId: null };
});

const ALL_LOST = ["manifest", "sequences", "revocations"];
const revokedByOther = { [other.publicKey]: [signer.publicKey] };
const mutual = { ...revokedByOther, [signer.publicKey]: [other.publicKey] };

const sequenceOf = ({ memory }: UpdateState, { publicKey } = signer) =>
  memory.newest[publicKey]?.sequence;

/** The state in lines whose digests are damaged. */
function withoutDigests(changes: object): string {
  const { memory, validator, envelope } = { ...state, ...changes };
  return [{ memory }, { validator, envelope }].map((line) => JSON.stringify(line)).join("\n");
}

async function linesOf(changes: Partial<UpdateState> = {}): Promise<string[]> {
  return (await writeUpdateState({ ...state, ...changes })).split("\n");
}

test("what was written is read again, expired or not", async () => {
  const read = await readUpdateState(await writeUpdateState(state), trust);
  assert.deepEqual(read, { ...state, lost: [] });
});

test("nothing saved is no state", async () => {
  assert.deepEqual(await readUpdateState(null, trust), { ...NO_UPDATE_STATE, lost: [] });
});

test("without digests the manifest counts, but its ETag is not bound to the envelope", async () => {
  assert.deepEqual(await readUpdateState(withoutDigests({}), trust), { ...stateBefore, lost: [] });
});

test("what a client before 0.2.0 saved in one line is told as lost", async () => {
  assert.deepEqual(await readUpdateState(JSON.stringify({ ...state, memory: undefined }), trust), {
    ...NO_UPDATE_STATE,
    installationId,
    lost: ALL_LOST,
  });
});

test("a genuine envelope overrules a damaged number, low or high, and a time out of reach", async () => {
  const seen = state.memory.newest[signer.publicKey];
  const damages = [
    ...[0, 1, -5, 2 ** 53 - 1, 1e300, "7", null].map((sequence) => ({ ...seen, sequence })),
    ...[8.64e15, 1e300, "soon", null].map((issuedAt) => ({ ...seen, sequence: 1, issuedAt })),
  ];
  for (const damaged of damages) {
    const newest = { [signer.publicKey]: damaged, [other.publicKey]: damaged };
    const read = await readUpdateState(withoutDigests({ memory: { newest } }), trust);
    assert.equal(sequenceOf(read), 7);
    const others = read.memory.newest[other.publicKey];
    assert.ok((others?.sequence ?? 0) <= 7);
    assert.ok((others?.issuedAt ?? 0) <= (seen?.issuedAt ?? 0));
  }
});

test("the numbers still count when the envelope is damaged or cut off, and that is told", async () => {
  const [memory = "", manifest = ""] = await linesOf();
  for (const damaged of [`${memory}\n${manifest.slice(0, -9)}`, `${memory}\nx`, `${memory}\n`]) {
    const read = await readUpdateState(damaged, trust);
    const { memory: kept } = state;
    const lost = ["manifest"];
    assert.deepEqual(read, { ...NO_UPDATE_STATE, memory: kept, installationId, lost });
  }
});

test("one damaged memory is read from its copy, a conflict included", async () => {
  const memory = { ...state.memory, revocations: mutual };
  const [, manifest = "", copy = ""] = await linesOf({ memory });
  for (const first of ["", "{}", copy.replace(":7", ":8"), copy.slice(1)]) {
    const read = await readUpdateState([first, manifest, copy].join("\n"), trust);
    assert.deepEqual(read.memory, memory);
    assert.deepEqual(read.lost, []);
  }
});

test("numbers that neither a digest nor an envelope proves are forgotten, and that is told", async () => {
  const newest = { [other.publicKey]: { sequence: 2 ** 53 - 1, issuedAt: 8.64e15, sha256: "x" } };
  const text = withoutDigests({ memory: { newest }, envelope: "{}" });
  const read = await readUpdateState(text, trust);
  assert.deepEqual(read, { ...NO_UPDATE_STATE, lost: ["manifest", "sequences"] });
});

test("damage that would leave no key to trust is forgotten, except for what the envelope proves", async () => {
  const text = withoutDigests({ memory: { ...state.memory, revocations: mutual } });
  const read = await readUpdateState(text, trust);
  assert.deepEqual(read, { ...stateBefore, lost: ["revocations"] });
  const revoking = signer.seal(createPayload({ sequence: 7, revokedKeys: [other.keyId] }));
  const proven = await readUpdateState(
    withoutDigests({
      memory: { revocations: revokedByOther },
      envelope: JSON.stringify(revoking),
    }),
    trust,
  );
  assert.deepEqual(proven.memory.revocations, { [signer.publicKey]: [other.publicKey] });
});

test("beside the envelope of a key that was revoked, damaged numbers of other keys are forgotten", async () => {
  const [seen] = Object.values(state.memory.newest);
  assert.ok(seen);
  const newest = { ...state.memory.newest, [other.publicKey]: { ...seen, sequence: 3 } };
  const text = withoutDigests({ memory: { newest, revocations: revokedByOther } });
  const { memory, lost } = await readUpdateState(text, trust);
  assert.deepEqual(memory, { ...state.memory, revocations: revokedByOther });
  assert.deepEqual(lost, ["sequences"]);
});

test("a conflict that is intact stays, and neither key's envelope is shown again", async () => {
  const memory = { ...state.memory, revocations: mutual };
  const read = await readUpdateState(await writeUpdateState({ ...state, memory }), trust);
  assert.deepEqual(read, { ...NO_UPDATE_STATE, memory, installationId, lost: [] });
});

test("an envelope of a key that was revoked is not shown again", async () => {
  const memory = { ...state.memory, revocations: revokedByOther };
  const read = await readUpdateState(await writeUpdateState({ ...state, memory }), trust);
  assert.deepEqual(read, { ...NO_UPDATE_STATE, memory, installationId, lost: [] });
});

test("an ETag that is not safe in a header is forgotten", async () => {
  for (const etag of ['"a"\r\nX-Evil: 1', "abc", `"${"a".repeat(300)}"`, '"é"']) {
    const unsafe = { ...state, validator: { ...validator, etag } };
    const read = await readUpdateState(await writeUpdateState(unsafe), trust);
    assert.deepEqual(read, { ...state, validator: null, lost: [] });
  }
});

test("an ETag beside another envelope than it came with is forgotten", async () => {
  const [memory, manifest = ""] = await linesOf();
  for (const damaged of [
    manifest.replace("abc", "abd"),
    manifest.replace(JSON.stringify(envelope), JSON.stringify(`${envelope} `)),
  ]) {
    assert.notEqual(damaged, manifest);
    const read = await readUpdateState([memory, damaged, memory].join("\n"), trust);
    assert.equal(read.validator, null);
    assert.notEqual(read.envelope, null);
  }
});

test("what is no stored state at all is told as lost", async () => {
  for (const text of ["", "{", "null", "[]", "5", '{"version":9,"data":"x"}', '{"memory":7}']) {
    const read = await readUpdateState(text, trust);
    assert.deepEqual(read, { ...NO_UPDATE_STATE, lost: ALL_LOST }, text);
  }
});

test("no damage to the stored text makes it throw, raise the floor or keep a forged envelope", async () => {
  const text = await writeUpdateState(state);
  const cut = fc.nat(text.length).map((length) => text.slice(0, length));
  const flipped = fc
    .tuple(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
    .map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
  const anything = fc.oneof(cut, flipped, fc.string(), fc.json());
  await fc.assert(
    fc.asyncProperty(anything, async (damaged) => {
      const read = await readUpdateState(damaged, trust);
      if (read.envelope !== null) assert.equal(sequenceOf(read), 7);
      assert.ok((sequenceOf(read) ?? 0) <= 7);
    }),
  );
  // One damaged letter never costs the floor, nor the bucket.
  await fc.assert(
    fc.asyncProperty(flipped, async (damaged) => {
      const read = await readUpdateState(damaged, trust);
      assert.equal(sequenceOf(read), 7);
      assert.equal(read.installationId, installationId);
    }),
  );
});

test("a damaged end of a line costs neither the floor nor the bucket", async () => {
  const text = await writeUpdateState(state);
  for (const at of [text.indexOf("\n"), text.lastIndexOf("\n")]) {
    const read = await readUpdateState(`${text.slice(0, at)} ${text.slice(at + 1)}`, trust);
    assert.equal(sequenceOf(read), 7);
    assert.equal(read.installationId, installationId);
    assert.deepEqual([read.envelope, read.lost], [null, ["manifest"]]);
  }
});

test("an id that is none is forgotten", async () => {
  for (const id of ["", "AAAA", `${installationId}AA`, 7, {}]) {
    const saved = await writeUpdateState({ ...state, installationId: id as string });
    const read = await readUpdateState(saved, trust);
    assert.deepEqual(read, { ...state, installationId: null, lost: [] });
  }
});
