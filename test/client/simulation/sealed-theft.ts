/**
 * Thieves at an encrypted account: one has a session and no key, one a session and a former key, and one the
 * current key. Only the last one writes anything, until the owner revokes the device and replaces the key.
 */
import { encodeBase64Url } from "../../../src/rules/base64url.ts";
import { createKeyRecord } from "../../../src/client/encryption/account-key-list.ts";
import { toDataKey, type DataKey } from "../../../src/client/encryption/data-key.ts";
import { toKeyProof } from "../../../src/client/encryption/key-proof.ts";
import type { EncryptedSyncClient } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { KEY_HEADER } from "../../../src/contract/sync/account-keys.ts";
import { MAX_CLOCK_STEP } from "../../../src/contract/sync/operation-limits.ts";
import { readHead } from "../../../src/sync/sql/log-head.ts";
import { createSealedOperation } from "../../fixtures/sealed-operation.ts";
import { createOperation, type OperationOptions } from "../../fixtures/sync-operation.ts";
import { signInOptions } from "../../sync/service/sync-service.ts";
import { postJson, signIn as signInDevice, type Ask } from "../../sync/sync-client.ts";
import { isSignedIn, signIn } from "./app-steps.ts";
import { listKeyIds } from "./key-steps.ts";
import type { SealedAccount } from "./sealed-account.ts";
import { startServer } from "./server-steps.ts";
import { BASE_URL } from "./simulated-server.ts";
import type { SimulationWorld } from "./simulation-world.ts";

const NAME = "thief";
const DEVICE_ID = `${NAME}-1`;
const EDITS = 4;
/** The service measures its storage so often. */
const MEASURE_MS = 1_001;

export async function runSealedTheft(world: SimulationWorld, account: SealedAccount) {
  world.trace("a device is stolen");
  await startServer(world);
  const thief = await createThief(world, account);
  const list = await listKeyIds(world);
  const former = list.slice(0, -1).flatMap((id) => account.keys.get(id) ?? []);
  const current = account.keys.get(list.at(-1) ?? "");
  await thief.tryInVain(null);
  for (const key of former) await thief.tryInVain(key);
  if (current !== undefined) for (let count = 0; count < EDITS; count++) await thief.write(current);
  world.trace("the stolen device is revoked");
  await world.server.revoke(DEVICE_ID);
  await replaceKey(world);
}

async function createThief(world: SimulationWorld, account: SealedAccount) {
  const { server, history, wire, dice } = world;
  const ask: Ask = (path, init) => server.handle(new Request(BASE_URL + path, init));
  const { accessToken } = await signInDevice(ask, signInOptions({ deviceId: DEVICE_ID }));
  history.goneDevices.add(NAME);
  const headers = (key: DataKey | null): Record<string, string> => ({
    Authorization: `Bearer ${accessToken}`,
    ...(key && { [KEY_HEADER]: toKeyProof(key) }),
  });
  const nextSequence = async () =>
    (await readHead(server.store().database)).clock.greatestSequence + MAX_CLOCK_STEP;

  async function expectRefused(what: string, path: string, body: object, key: DataKey | null) {
    const before = await readHead(server.store().database);
    const { status } = await postJson(ask, path, body, headers(key));
    const after = await readHead(server.store().database);
    const isChanged = JSON.stringify(before) !== JSON.stringify(after);
    if ((status === 403 || status === 409) && !isChanged) return;
    world.fail(`${what} got ${status}`);
  }

  return {
    /** `key` is a former one; null is none at all. */
    async tryInVain(key: DataKey | null): Promise<void> {
      const sequence = await nextSequence();
      const noise = toDataKey(dice.bytes(32));
      const entityId = `sealed/${encodeBase64Url(dice.bytes(32))}`;
      const garbage = createSealedOperation({ deviceId: DEVICE_ID, sequence, entityId });
      const push = { operations: [garbage] };
      await expectRefused("Garbage without a key", "/v1/push", push, key);
      await expectRefused("Garbage under a key of its own", "/v1/push", push, noise);
      const origin = { deviceId: DEVICE_ID, at: "2026-01-01T00:00:00Z" };
      const strange = createKeyRecord(noise, [noise], origin);
      // Every session learns the id of the account's key.
      const [current = ""] = (await listKeyIds(world)).slice(-1);
      const from = strange.from?.replace(noise.id, current) ?? "";
      const records = [createKeyRecord(noise, [], null), strange, { ...strange, from }];
      if (key !== null)
        records.push(createKeyRecord(noise, [key], origin), createKeyRecord(key, [noise], origin));
      for (const record of records) await expectRefused("A thief's key", "/v1/keys", record, key);
      if (key === null) return;
      const edit = createOperation({
        deviceId: DEVICE_ID,
        sequence,
        entityId: "note/0",
        kind: "patch",
        payload: { title: "stolen" },
      });
      const sealed = { operations: [account.seal(edit, key)] };
      await expectRefused("An edit under a former key", "/v1/push", sealed, key);
    },
    /** What is sealed under the current key is authentic. */
    async write(key: DataKey): Promise<void> {
      const isDeletion = dice.chance(30);
      const entityId = `note/${dice.below(5)}`;
      const payload = { title: `stolen${history.records.length}` };
      const options: OperationOptions = isDeletion
        ? { kind: "delete", entityId }
        : { kind: "patch", entityId, payload };
      const clear = createOperation({
        deviceId: DEVICE_ID,
        ...options,
        sequence: await nextSequence(),
      });
      const operations: readonly Operation[] = [account.seal(clear, key)];
      const { status } = await postJson(ask, "/v1/push", { operations }, headers(key));
      if (status !== 200) return world.fail(`An edit under the current key got ${status}`);
      const kind = isDeletion ? "delete" : "patch";
      const written = isDeletion ? {} : payload;
      const planned = { kind, entityId, payload: written, metadata: {} } as const;
      const record = history.begin({ ...planned, isRefusable: false, invalid: null }, NAME);
      record.result = { kind: "stored", operationId: clear.operationId };
      wire.noteRequest(`${BASE_URL}/v1/push`, { body: JSON.stringify({ operations }) });
    },
  };
}

/** The owner makes a new key, also when the storage of the account is used up. */
async function replaceKey(world: SimulationWorld): Promise<void> {
  const { server, time, devices } = world;
  const device = devices.find((one) => !one.isLost() && one.apps().length > 0);
  const [app] = device?.apps() ?? [];
  if (device === undefined || app === undefined) return;
  device.link.quality = "good";
  if (!isSignedIn(app)) await signIn(world, device, app);
  await time.runFor(1_000);
  void app.client.sync();
  await time.runFor(3_000);
  const { encryption } = app.client as EncryptedSyncClient;
  if (!app.process.isAlive() || encryption.state.kind !== "ready") return;
  server.setQuota(0);
  time.sleep(MEASURE_MS);
  void encryption.rotateKey().then((result) => {
    world.noteResult(`${app.process.name} rotateKey after the theft`, result);
    const isQuota = result.kind === "refused" && result.reason === "failed";
    if (isQuota && result.error.kind === "quota-exceeded") world.fail("A rotation met the quota");
  });
  await time.runFor(2_000);
  server.setQuota(null);
  time.sleep(MEASURE_MS);
}
