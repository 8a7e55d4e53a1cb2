import assert from "node:assert/strict";
import { test } from "node:test";
import { createSigner, type ManifestEnvelope } from "../../../conformance/release/driver/signer.ts";
import {
  createPayload,
  createPublishedRelease,
  ISSUED_AT,
} from "../../../test/fixtures/signed-envelope.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import type { Fetch } from "../transport/request-text.ts";
import { createUpdateClient, type UpdateClient } from "./create-update-client.ts";
import { bucketOf } from "./installation-id.ts";
import { createMemoryStorage, type UpdateStorage } from "./storage.ts";
import { NO_UPDATE_STATE, readUpdateState, writeUpdateState } from "./stored-state.ts";

const signer = createSigner("release-2026-01");
const trust = { product: "habits", keys: { [signer.keyId]: signer.publicKey } };
const staged = createPublishedRelease({
  version: "1.3.0",
  buildNumber: 13,
  minimumSupportedVersion: "1.3.0",
  mandatoryAfter: "2025-12-31T00:00:00Z",
});
const everybodys = createPublishedRelease();

function seal(percent: number, changes: Partial<ManifestPayload> = {}): ManifestEnvelope {
  return signer.seal(
    createPayload({
      rollouts: [{ version: staged.version, percent }],
      releases: [staged, everybodys],
      ...changes,
    }),
  );
}

interface Service {
  envelope: ManifestEnvelope;
  readonly requests: string[];
  readonly fetch: Fetch;
}

/** A service whose unsigned decision always says that the staged release is mandatory. */
function createService(envelope: ManifestEnvelope): Service {
  const service: Service = {
    envelope,
    requests: [],
    fetch: (url, init) => {
      service.requests.push(JSON.stringify([url, init]));
      const hint = {
        updateAvailable: true,
        mandatory: true,
        target: { version: staged.version, buildNumber: staged.buildNumber },
      };
      const isManifest = url.endsWith("/api/v1/manifest");
      return Promise.resolve(new Response(JSON.stringify(isManifest ? service.envelope : hint)));
    },
  };
  return service;
}

function connect(
  service: Service,
  storage: UpdateStorage,
  current = { version: everybodys.version, buildNumber: everybodys.buildNumber },
): UpdateClient {
  return createUpdateClient({
    ...trust,
    baseUrl: "https://releases.example.com",
    platform: "linux",
    current,
    storage,
    fetch: service.fetch,
    now: () => ISSUED_AT,
  });
}

async function storageInBucket(bucket: number): Promise<UpdateStorage> {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(bucket - 1);
  const storage = createMemoryStorage();
  const installationId = bytes.toString("base64url");
  await storage.save(await writeUpdateState({ ...NO_UPDATE_STATE, installationId }));
  return storage;
}

async function idIn(storage: UpdateStorage): Promise<string> {
  const { installationId } = await readUpdateState(await storage.load(), trust);
  assert.ok(installationId !== null);
  return installationId;
}

const offerOf = async (client: UpdateClient) => {
  const check = await client.check();
  return check.kind === "update-available" ? check.release.version : check.kind;
};

test("the share of a rollout is offered the release, and the others are up to date", async () => {
  const service = createService(seal(25));
  for (const [bucket, offer] of [
    [1, "1.3.0"],
    [25, "1.3.0"],
    [26, "up-to-date"],
    [100, "up-to-date"],
  ] as const) {
    assert.equal(await offerOf(connect(service, await storageInBucket(bucket))), offer);
  }
});

test("outside of the share an older app is offered what is out for everybody, without the demands of the staged release", async () => {
  const client = connect(createService(seal(25)), await storageInBucket(80), {
    version: "1.1.0",
    buildNumber: 11,
  });
  const check = await client.check();
  assert.ok(check.kind === "update-available");
  assert.equal(check.release.version, everybodys.version);
  assert.equal(check.mandatory || check.unsupported, false);
});

test("a rollout that rises reaches the installation, and a stop holds it back again", async () => {
  const service = createService(seal(25));
  const storage = await storageInBucket(40);
  for (const [sequence, percent, offer] of [
    [8, 39, "up-to-date"],
    [9, 40, "1.3.0"],
    [10, 0, "up-to-date"],
    [11, 100, "1.3.0"],
  ] as const) {
    service.envelope = seal(percent, { sequence });
    assert.equal(await offerOf(connect(service, storage)), offer, `${percent} percent`);
  }
});

test("an app that runs the staged release is up to date, whatever its bucket and the percent", async () => {
  const current = { version: staged.version, buildNumber: staged.buildNumber };
  for (const percent of [0, 25]) {
    const client = connect(createService(seal(percent)), await storageInBucket(90), current);
    const check = await client.check();
    assert.equal(check.kind, "up-to-date");
  }
});

test("the unsigned decision of the service does not bring a staged release", async () => {
  const client = connect(createService(seal(25)), await storageInBucket(26));
  const result = await client.hint();
  assert.ok(result.kind === "hint" && result.hint.updateAvailable);
  assert.equal(await offerOf(client), "up-to-date");
});

test("a service can neither widen nor narrow a rollout, nor bring back an earlier one", async () => {
  const storage = await storageInBucket(26);
  const service = createService(seal(50, { sequence: 8 }));
  const client = connect(service, storage);
  assert.equal(await offerOf(client), "1.3.0");
  const errorKind = async () => {
    const check = await client.check();
    return check.kind === "cannot-confirm" ? check.error.kind : check.kind;
  };
  const signed = service.envelope;
  for (const percent of [0, 25, 100]) {
    const { payload } = seal(percent, { sequence: 8 });
    service.envelope = { ...signed, payload };
    assert.equal(await errorKind(), "bad-signature");
  }
  service.envelope = seal(25, { sequence: 7 });
  assert.equal(await errorKind(), "rollback");
});

test("the id is made once, survives the app and later manifests, and is in no request", async () => {
  const service = createService(seal(25));
  const storage = createMemoryStorage();
  await connect(service, storage).check();
  const id = await idIn(storage);
  for (const sequence of [8, 9]) {
    service.envelope = seal(25, { sequence });
    const client = connect(service, storage);
    await client.check();
    await client.hint();
    assert.equal(await idIn(storage), id);
  }
  assert.equal(service.requests.length, 5);
  for (const request of service.requests) {
    assert.ok(!request.includes(id) && !request.includes("rollout") && !/bucket/i.test(request));
  }
});

test("what was saved without an id gets one, and keeps everything else", async () => {
  const storage = createMemoryStorage();
  const service = createService(seal(25, { sequence: 8 }));
  await connect(service, storage).check();
  const {
    installationId: _,
    lost: _lost,
    ...state
  } = await readUpdateState(await storage.load(), trust);
  await storage.save(await writeUpdateState({ ...state, installationId: null }));
  const check = await connect(service, storage).check();
  assert.deepEqual(check.notices, []);
  assert.ok((await idIn(storage)) !== "");
  service.envelope = seal(25, { sequence: 7 });
  assert.equal((await connect(service, storage).check()).kind, "cannot-confirm");
});

test("a storage that loses everything costs the bucket, not the client", async () => {
  const saved: string[] = [];
  const storage: UpdateStorage = { load: () => null, save: (text) => void saved.push(text) };
  const service = createService(seal(50));
  const client = connect(service, storage);
  const first = await offerOf(client);
  assert.equal(await offerOf(client), first);
  const ids = await Promise.all(
    saved.map(async (text) => (await readUpdateState(text, trust)).installationId ?? ""),
  );
  assert.equal(new Set(ids).size, 1, "the client keeps its id while it lives");
  assert.equal(first === "1.3.0", bucketOf(ids[0] ?? "") <= 50);
});

test("a manifest that is refused makes no id", async () => {
  const storage = createMemoryStorage();
  const service = createService({ ...seal(25), signature: "AAAA" });
  assert.equal((await connect(service, storage).check()).kind, "cannot-confirm");
  assert.equal(await storage.load(), null);
});
