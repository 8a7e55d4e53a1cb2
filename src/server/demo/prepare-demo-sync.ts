/** Makes the demo's account and pushes its habits the way a device's push goes in. */
import { openInstanceKey } from "../../identity/instance-key.ts";
import { createAdministration } from "../../sync/administration.ts";
import { createPushes } from "../../sync/push.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { openSyncStore } from "../open-sync-store.ts";
import { DEMO_CODE_CHALLENGE, DEMO_PASSWORD, DEMO_STATE, DEMO_USERNAME } from "./demo-account.ts";
import { createDemoOperations } from "./demo-habits.ts";

export interface DemoSync {
  readonly entities: number;
}

export async function prepareDemoSync(
  { store: address, instanceKeyFile, limits, profile }: SyncConfiguration,
  dataDir: string,
): Promise<DemoSync> {
  const store = await openSyncStore(address, dataDir);
  try {
    const key = openInstanceKey(instanceKeyFile);
    await createAdministration(store, key).createAccount(DEMO_USERNAME, DEMO_PASSWORD);
    const operations = createDemoOperations(Date.now());
    const body = Buffer.from(JSON.stringify({ operations }));
    const pushes = createPushes({ store, limits, profile, now: Date.now });
    const answer = await pushes.answer(body, "demo");
    if ("kind" in answer || answer.status !== 200) {
      throw new Error("The demo's own operations were refused");
    }
    return { entities: operations.length };
  } finally {
    await store.close();
  }
}

/** Where an app would send a browser: a request that the page takes. */
export function demoSignInUrl({ baseUrl, redirectUris }: SyncConfiguration): string {
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
