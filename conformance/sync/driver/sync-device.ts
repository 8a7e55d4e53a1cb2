/** A device of an account: its driver runs against the server that a case plays. */
import { isDeepStrictEqual } from "node:util";
import { DEFAULT_REDIRECT_URI } from "../../check.ts";
import type { ClientUnderTest } from "../../drivers/client-under-test.ts";
import { withService, type Respond, type SeenRequest } from "../../drivers/loopback-service.ts";
import { describeValue, fail } from "../../expect.ts";
import { BASE_URL, type PlayedAccount } from "./played-account.ts";
import { SYNC_TASK_RESULT, type DeviceEdit, type SyncTask, type SyncTaskResult } from "./task.ts";

export interface SyncDevice {
  /** The address that the app opens in the browser. */
  begin(): Promise<SyncRun & { readonly query: URLSearchParams }>;
  /** The browser returns with a code, unless `change` makes something else of its address. */
  complete(query: URLSearchParams, change?: (callback: URL) => void): Promise<SyncRun>;
  /** Signs in, which must succeed. */
  signIn(): Promise<void>;
  /** Makes the edits and syncs; `respond` is in the place of the account's own server. */
  sync(edits?: readonly DeviceEdit[], respond?: Respond): Promise<SyncRun>;
  /** Works as an open app until it shows the entity. */
  follow(entityId: string, respond: Respond): Promise<SyncRun>;
  signOut(): Promise<SyncRun>;
  /** What the device stores, as text. */
  stored(): string;
}

export interface SyncRun {
  readonly asked: string;
  readonly result: SyncTaskResult;
  readonly requests: readonly SeenRequest[];
}

/** A quarter of a second is allowed; the rest is for slow machines. */
const FOLLOW_SECONDS = 8;

export function createDevice(
  client: ClientUnderTest,
  account: PlayedAccount,
  name = "a device",
): SyncDevice {
  let state: unknown = null;

  function run(
    asked: string,
    task: Omit<SyncTask, "baseUrl" | "connectTo" | "redirectUri" | "state">,
    respond: Respond = account.respond,
  ): Promise<SyncRun> {
    return withService(respond, async ({ url, requests }) => {
      const server = { baseUrl: BASE_URL, connectTo: url, redirectUri: DEFAULT_REDIRECT_URI };
      const result = await client.tell(asked, { ...task, ...server, state }, SYNC_TASK_RESULT);
      state = result.state ?? null;
      return { asked, result, requests };
    });
  }

  const device: SyncDevice = {
    async begin() {
      const begun = await run(`the sign-in of ${name}`, { do: "begin-sign-in" });
      const { asked, result } = begun;
      const { authorizeUrl = "" } = result;
      expectRunKind(begun, "begun");
      if (!URL.canParse(authorizeUrl)) fail(asked, "authorizeUrl", describeValue(authorizeUrl));
      return { ...begun, query: new URL(authorizeUrl).searchParams };
    },
    complete(query, change = () => {}) {
      const get = (name: string) => query.get(name) ?? "";
      const callback = new URL(DEFAULT_REDIRECT_URI);
      const code = account.sessions.allow({
        codeChallenge: get("code_challenge"),
        redirectUri: get("redirect_uri"),
        attemptId: get("attempt_id"),
        deviceId: get("device_id"),
      });
      callback.searchParams.set("code", code);
      callback.searchParams.set("state", get("state"));
      change(callback);
      const task = { do: "complete-sign-in", callbackUrl: callback.href } as const;
      return run(`the return from the browser to ${name}`, task);
    },
    async signIn() {
      const { query } = await device.begin();
      expectRunKind(await device.complete(query), "signed-in");
    },
    sync: (edits = [], respond) =>
      run(`a sync of ${name}`, { do: "sync", edits: [...edits] }, respond),
    follow: (entityId, respond) =>
      run(`${name}, open`, { do: "follow", entityId, seconds: FOLLOW_SECONDS }, respond),
    signOut: () => run(`the sign-out of ${name}`, { do: "sign-out" }),
    stored: () => JSON.stringify(state),
  };
  return device;
}

export function expectRunKind({ asked, result }: SyncRun, kind: SyncTaskResult["kind"]): void {
  if (result.kind !== kind) fail(asked, kind, result.kind);
}

/** The sync succeeded, and the server has every edit of the device. */
export async function expectSynced(running: Promise<SyncRun>): Promise<SyncRun> {
  const run = await running;
  expectRunKind(run, "synced");
  const { pending = 0 } = run.result;
  if (pending !== 0) fail(run.asked, "no pending edit", `${pending} pending`);
  return run;
}

/** The app shows the entity with this payload, or does not show it when that is undefined. */
export function expectShown(
  { asked, result }: SyncRun,
  entityId: string,
  payload: object | undefined,
): void {
  const { entities = [] } = result;
  const shown = entities.find((one) => one.entityId === entityId)?.payload;
  if (isDeepStrictEqual(shown, payload)) return;
  fail(asked, `${entityId} with ${describeValue(payload)}`, describeValue(shown));
}

/** The requests to a path. */
export function requestsTo({ requests }: SyncRun, path: string): readonly SeenRequest[] {
  return requests.filter((request) => request.path === path);
}
