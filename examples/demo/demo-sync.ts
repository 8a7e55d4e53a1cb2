/** Sample data of the sync service: an account, three habits, a week of entries and a backup. */
import { join } from "node:path";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { createKeyRecord } from "../../src/client/encryption/account-key-list.ts";
import { DATA_KEY_BYTES, toDataKey } from "../../src/client/encryption/data-key.ts";
import { toKeyProof } from "../../src/client/encryption/key-proof.ts";
import {
  createOperationSealer,
  type OperationSealer,
} from "../../src/client/encryption/operation-sealer.ts";
import { toRecoveryKey } from "../../src/client/encryption/recovery-key.ts";
import { DAY_MS } from "../../src/contract/durations.ts";
import { changeBackupState, createBackupRecord } from "../../src/backup/backup-state.ts";
import { createBackup } from "../../src/backup/format/write-backup.ts";
import type { Language } from "../../src/contract/language.ts";
import { PROTOCOL_VERSION } from "../../src/contract/sync/values.ts";
import type { Operation } from "../../src/contract/sync/operation.ts";
import { readBackupKey } from "../../src/backup/backup-key.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import { createAdministration } from "../../src/sync/maintenance/administration.ts";
import { SYNC_EXAMINER } from "../../src/sync/maintenance/backup.ts";
import { createPushHandler } from "../../src/sync/log/push.ts";
import { SYNC_REALM } from "../../src/sync/store.ts";
import type { SqlSyncStore } from "../../src/sync/sql/open-sql-store.ts";
import type { SyncConfiguration } from "../../src/configuration/configuration-schema.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { PRODUCT_VERSION } from "../../src/database/product-version.ts";
import { DEMO_ACCOUNT, DEMO_CODE_CHALLENGE, DEMO_STATE } from "./demo-settings.ts";
import { dateBefore } from "./sealed-week.ts";
import { SAMPLE_HABITS } from "./page/sample-habits.ts";

export interface DemoSync {
  readonly baseUrl: string;
  readonly signInUrl: string;
  readonly entities: number;
  /** Opens the sample data of a sealed instance; null when it is in the clear. */
  readonly recoveryKey: string | null;
  readonly sealer: OperationSealer | null;
  /** A verified backup of the store as it was yesterday evening. */
  readonly backupPath: string;
  readonly backupCreatedAt: string;
}

export async function prepareDemoSync(
  configuration: SyncConfiguration,
  dataDir: string,
  folder: string,
  language: Language,
): Promise<DemoSync> {
  const store = await openServiceStore(SYNC_STORE, configuration, dataDir);
  try {
    await createAdministration(store, store.instanceKey).createAccount(
      DEMO_ACCOUNT.username,
      DEMO_ACCOUNT.password,
    );
    const now = Date.now();
    const sealing = configuration.profile === "sealed" ? createSealing() : null;
    const { earlier, today } = createOperations(now, language);
    const toTexts = (operations: readonly Operation[]) =>
      operations.map((operation) => JSON.stringify(operation)).map(sealing?.seal ?? String);
    if (sealing !== null) await store.keys.add(sealing.record, null);
    const keyProof = sealing?.keyProof ?? null;
    await push(store, configuration, toTexts(earlier), keyProof);
    const backupPath = join(folder, BACKUP_FILE);
    const backup = await createBackup(store.database, backupPath, SYNC_EXAMINER, {
      product: PRODUCT_VERSION,
      now: yesterdayEvening(now),
      instanceKey: null,
      key: readBackupKey(configuration.instanceKeyFile, SYNC_REALM),
    });
    const last = createBackupRecord(backup, SYNC_EXAMINER.format, backupPath, now);
    await changeBackupState(dataDir, SYNC_REALM, { last });
    await push(store, configuration, toTexts(today), keyProof);
    return {
      baseUrl: configuration.baseUrl,
      signInUrl: createSignInUrl(configuration),
      entities: earlier.length + today.length,
      recoveryKey: sealing?.recoveryKey ?? null,
      sealer: sealing?.sealer ?? null,
      backupPath,
      backupCreatedAt: backup.createdAt,
    };
  } finally {
    await store.close();
  }
}

const BACKUP_FILE = "yesterday.backup";

async function push(
  store: SqlSyncStore,
  { limits, profile }: SyncConfiguration,
  operations: readonly string[],
  keyProof: string | null,
): Promise<void> {
  const body = Buffer.from(`{"operations":[${operations.join(",")}]}`);
  const pushes = createPushHandler({ store, limits, profile, now: Date.now });
  const response = await pushes.handle(body, "demo", keyProof);
  if ("kind" in response || response.status !== 200) {
    throw new Error("The demo's operations were rejected");
  }
}

/** What the first device of a person does: it makes the key of the account, and seals under it. */
function createSealing() {
  const key = toDataKey(crypto.getRandomValues(new Uint8Array(DATA_KEY_BYTES)));
  const sealer = createOperationSealer([key]);
  return {
    recoveryKey: toRecoveryKey(key.bytes),
    sealer,
    record: createKeyRecord(key, [], null),
    keyProof: toKeyProof(key),
    seal: (text: string) => sealer.seal(sealer.toNamed(parseOperation(text))),
  };
}

/** The sign-in page with the parameters that an app would send. */
function createSignInUrl({ baseUrl, redirectUris }: SyncConfiguration): string {
  const [redirect] = redirectUris;
  const query = new URLSearchParams({
    response_type: "code",
    redirect_uri: typeof redirect === "string" ? redirect : (redirect?.uri ?? ""),
    code_challenge: DEMO_CODE_CHALLENGE,
    state: DEMO_STATE,
    attempt_id: "demo-attempt",
    device_id: "demo-browser",
  });
  return `${baseUrl}/v1/authorize?${query.toString()}`;
}

const DEVICE = "demo-phone";

interface DemoOperations {
  readonly earlier: readonly Operation[];
  readonly today: readonly Operation[];
}

function createOperations(now: number, language: Language): DemoOperations {
  let sequence = 0;
  const create = (entityId: string, payload: Payload) =>
    createOperation(++sequence, entityId, payload);
  // The app lists habits in the order in which they were made.
  const createdAt = (index: number) => new Date(now - 7 * DAY_MS + index).toISOString();
  const habits = SAMPLE_HABITS.map(({ id, icon, color, names, categories }, index) =>
    create(`habit/${id}`, {
      id,
      name: names[language],
      color,
      icon,
      category: categories[language],
      description: null,
      frequency: "daily",
      targetCount: 1,
      customDays: null,
      isActive: true,
      createdAt: createdAt(index),
    }),
  );
  const entriesOf = (daysAgo: number) =>
    SAMPLE_HABITS.map(({ id }, index) => {
      const date = dateBefore(now, daysAgo);
      const completed = (daysAgo + index) % 3 !== 0;
      return create(`entry/${id}/${date}`, {
        id: `${id}-${date}`,
        habitId: id,
        date,
        completed,
        count: completed ? 1 : 0,
        timestamp: new Date(now - daysAgo * DAY_MS).toISOString(),
      });
    });
  const earlier = [6, 5, 4, 3, 2, 1].flatMap(entriesOf);
  return { earlier: [...habits, ...earlier], today: entriesOf(0) };
}

type Payload = Readonly<Record<string, unknown>>;

function createOperation(sequence: number, entityId: string, payload: Payload): Operation {
  return {
    protocolVersion: PROTOCOL_VERSION,
    operationId: `operation/${DEVICE}/${sequence}`,
    kind: "create",
    revision: { deviceId: DEVICE, sequence },
    document: { schemaVersion: 1, entityId, deleted: false, payload: { ...payload } },
    changedFields: Object.keys(payload),
    changedMetadataFields: [],
  };
}

function yesterdayEvening(now: number): number {
  const evening = new Date(now);
  evening.setDate(evening.getDate() - 1);
  return evening.setHours(20, 0, 0, 0);
}
