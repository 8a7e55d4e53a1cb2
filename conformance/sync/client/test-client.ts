/** A sync client as an app embeds it, with what the cases ask of it. */
import { isDeepStrictEqual } from "node:util";
import {
  createMemorySyncStorage,
  createSyncClient,
  type EditResult,
  type SyncClient,
  type SyncClientError,
  type SyncResult,
} from "../../../src/client/index.ts";
import { skipUnless } from "../../case.ts";
import { fail } from "../../expect.ts";
import { expectCompleted } from "../expectations.ts";
import type { SyncServerUnderTest } from "../server-under-test.ts";
import { createCompletion, postCompletion, requestChallenge } from "../sign-in.ts";
import { createClientNetwork, type ClientNetwork } from "./network.ts";

export interface TestClient {
  readonly client: SyncClient;
  readonly network: ClientNetwork;
  /** Moves the clock of the device forward. */
  advance(ms: number): void;
  signIn(): Promise<void>;
  /** A round that must succeed. */
  sync(): Promise<Extract<SyncResult, { kind: "synced" }>>;
  /** A round that must fail with this error. */
  expectNotSynced(kind: SyncClientError["kind"]): Promise<void>;
  /** The id of the edit's operation; the edit must be stored. */
  stored(edit: Promise<EditResult>): Promise<string>;
  /** Expects the device to show an entity with this payload, or none when it is undefined. */
  expectShown(entityId: string, payload: object | undefined): void;
}

export interface TestClientOptions {
  /** Whether the client works by itself, as in an app; otherwise it works only when a case says so. */
  readonly isLive?: boolean;
}

const NEVER = () => () => {};
const POLL_SECONDS = 3600;

export async function openTestClient(
  server: SyncServerUnderTest,
  { isLive = false }: TestClientOptions = {},
): Promise<TestClient> {
  const { profile = "habits" } = server.input;
  skipUnless(profile !== "sealed", "The app of these cases does not encrypt");
  const network = createClientNetwork();
  let clockOffsetMs = 0;
  const client = await createSyncClient({
    baseUrl: server.input.baseUrl,
    redirectUri: server.redirectUri,
    storage: createMemorySyncStorage(),
    deviceName: server.newId("client"),
    profile,
    live: isLive,
    pollSeconds: POLL_SECONDS,
    fetch: network.fetch,
    now: () => Date.now() + clockOffsetMs,
    tabs: null,
    ...(!isLive && { setTimer: NEVER }),
  });

  /** The request at which the client stands. */
  const lastRequest = () => network.requests.at(-1)?.asked ?? "nothing";

  return {
    client,
    network,
    advance: (ms) => {
      clockOffsetMs += ms;
    },
    async signIn() {
      const begun = await client.beginSignIn();
      const result =
        begun.kind === "begun"
          ? await client.completeSignIn(await signInOnPage(server, begun.url))
          : begun;
      if (result.kind === "signed-in") return;
      fail(lastRequest(), "a client that is signed in", describeError(result.error));
    },
    async sync() {
      const result = await client.sync();
      if (result.kind === "synced") return result;
      return fail(lastRequest(), "a client that syncs", describeError(result.error));
    },
    async expectNotSynced(kind) {
      const result = await client.sync();
      const received = result.kind === "synced" ? "a sync" : describeError(result.error);
      if (result.kind === "synced" || result.error.kind !== kind) {
        fail(lastRequest(), `a client that reports ${kind}`, received);
      }
    },
    async stored(edit) {
      const result = await edit;
      if (result.kind === "stored") return result.operationId;
      return fail("an edit on the device", "stored", `${result.reason}: ${result.message}`);
    },
    expectShown(entityId, payload) {
      const shown = client.entities.get(entityId)?.payload;
      if (isDeepStrictEqual(shown, payload)) return;
      fail(`${lastRequest()} of the client`, describe(payload), describe(shown));
    },
  };
}

function describe(payload: object | undefined): string {
  return payload === undefined ? "no such entity" : `the payload ${JSON.stringify(payload)}`;
}

function describeError(error: { readonly kind: string; readonly message: string }): string {
  const { kind, message } = error;
  const status = "status" in error ? ` (status ${String(error.status)})` : "";
  return `${kind}${status}: ${message}`;
}

/** Does what the sign-in page does, and returns the address that it leads to. */
async function signInOnPage(server: SyncServerUnderTest, address: string): Promise<string> {
  const query = new URL(address).searchParams;
  const get = (name: string) => query.get(name) ?? "";
  const challenged = await requestChallenge(server, {
    codeChallenge: get("code_challenge"),
    state: get("state"),
    redirectUri: get("redirect_uri"),
    attemptId: get("attempt_id"),
    deviceId: get("device_id"),
  });
  const completion = await createCompletion(server, challenged);
  const { code } = expectCompleted(await postCompletion(server, completion));
  const callback = new URL(server.redirectUri);
  callback.searchParams.set("code", code);
  callback.searchParams.set("state", get("state"));
  return callback.href;
}
