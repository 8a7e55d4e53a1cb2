/** Sample data of the sync service: an account, three habits and a week of entries. */
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import { createAdministration } from "../../sync/administration.ts";
import { createPushHandler } from "../../sync/push.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { openKeyedSyncStore } from "../open-sync-store.ts";
import { DEMO_CODE_CHALLENGE, DEMO_PASSWORD, DEMO_STATE, DEMO_USERNAME } from "./demo-account.ts";

export interface DemoSync {
  readonly baseUrl: string;
  readonly signInUrl: string;
  readonly entities: number;
}

export async function prepareDemoSync(
  configuration: SyncConfiguration,
  dataDir: string,
): Promise<DemoSync> {
  const { baseUrl, limits, profile } = configuration;
  const store = await openKeyedSyncStore(configuration, dataDir);
  try {
    await createAdministration(store, store.instanceKey).createAccount(
      DEMO_USERNAME,
      DEMO_PASSWORD,
    );
    const operations = createOperations(Date.now());
    const body = Buffer.from(JSON.stringify({ operations }));
    const pushes = createPushHandler({ store, limits, profile, now: Date.now });
    const response = await pushes.handle(body, "demo");
    if ("kind" in response || response.status !== 200) {
      throw new Error("The demo's operations were rejected");
    }
    const signInUrl = createSignInUrl(configuration);
    return { baseUrl, signInUrl, entities: operations.length };
  } finally {
    await store.close();
  }
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

const DAY = 86_400_000;
const DEVICE = "demo-phone";

const HABITS = [
  { id: "water", name: "Drink water", color: "#2f7de1", icon: "drop", category: "health" },
  { id: "read", name: "Read ten pages", color: "#8a5cd1", icon: "book", category: "mind" },
  { id: "walk", name: "Take a walk", color: "#3c9a5f", icon: "path", category: "health" },
] as const;

function createOperations(now: number): Operation[] {
  let sequence = 0;
  const create = (entityId: string, payload: Readonly<Record<string, unknown>>): Operation => {
    sequence++;
    return {
      protocolVersion: PROTOCOL_VERSION,
      operationId: `operation/${DEVICE}/${sequence}`,
      kind: "create",
      revision: { deviceId: DEVICE, sequence },
      document: { schemaVersion: 1, entityId, deleted: false, payload: { ...payload } },
      changedFields: Object.keys(payload),
      changedMetadataFields: [],
    };
  };
  const createdAt = new Date(now - 7 * DAY).toISOString();
  const habits = HABITS.map((habit) =>
    create(`habit/${habit.id}`, {
      ...habit,
      description: null,
      frequency: "daily",
      targetCount: 1,
      customDays: null,
      isActive: true,
      createdAt,
    }),
  );
  const entries = HABITS.flatMap(({ id }, index) =>
    Array.from({ length: 7 }, (_, day) => {
      const time = new Date(now - day * DAY).toISOString();
      const date = time.slice(0, 10);
      const completed = (day + index) % 3 !== 0;
      return create(`entry/${id}/${date}`, {
        id: `${id}-${date}`,
        habitId: id,
        date,
        completed,
        count: completed ? 1 : 0,
        timestamp: time,
      });
    }),
  );
  return [...habits, ...entries];
}
