/** Makes the demo's account and pushes its habits the way a device's push goes in. */
import { openInstanceKey } from "../../identity/instance-key.ts";
import { createNodePrimitives } from "../../identity/node-primitives.ts";
import { createAdministration } from "../../sync/administration.ts";
import { pushOperations } from "../../sync/push.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { openSyncStore } from "../open-sync-store.ts";
import { createDemoOperations } from "./demo-habits.ts";

export interface DemoAccount {
  readonly username: string;
  readonly password: string;
  readonly entities: number;
}

const USERNAME = "demo";
/** Long enough to be taken, easy enough to be typed. */
const PASSWORD = "demo-password";

export async function prepareDemoSync(
  { store: address, instanceKeyFile, limits, profile }: SyncConfiguration,
  dataDir: string,
): Promise<DemoAccount> {
  const store = await openSyncStore(address, dataDir);
  try {
    const key = openInstanceKey(instanceKeyFile, createNodePrimitives().randomBytes);
    await createAdministration(store, key).createAccount(USERNAME, PASSWORD);
    const value = { operations: createDemoOperations(Date.now()) };
    const content = { text: JSON.stringify(value), value };
    const answer = await pushOperations({ store, limits, profile, now: Date.now }, content, "demo");
    if (answer.status !== 200) throw new Error("The demo's own operations were refused");
    return { username: USERNAME, password: PASSWORD, entities: value.operations.length };
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
    // Of a verifier that nobody has: the page works, the code cannot be redeemed.
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    state: "a-state-of-the-demo-app",
    attempt_id: "demo-attempt",
    device_id: "demo-browser",
  });
  return `${baseUrl}/v1/authorize?${query.toString()}`;
}
