import { createChecker } from "../../src/contract/check.ts";
import { TokenResponse } from "../../src/contract/sync/schemas.ts";
import { skipUnless } from "../case.ts";
import { encodeBase64Url } from "../../src/rules/base64url.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { createQueue, DEFAULT_REDIRECT_URI, ignoreConformanceErrors, memoize } from "../check.ts";
import { expectJson } from "../expect.ts";
import type { HttpClient, Origin, ReceivedResponse } from "../http.ts";
import { retryRateLimited } from "../retry-rate-limited.ts";
import { randomText } from "../sign-in-keys.ts";
import { createTestDevice, JSON_BODY, type TestDevice } from "./device.ts";
import { expectCapabilities, expectTokens } from "./expectations.ts";
import { SYNC_HTTP } from "./http-table.ts";
import type { SyncInput } from "./input.ts";
import { createOperation } from "./operations.ts";
import { findOtherRequests, findSamples } from "./requests.ts";
import type { PublishedLimits, SyncServerUnderTest } from "./server-under-test.ts";
import { openTestKeys } from "./test-keys.ts";
import { becomeKnownBrowser, obtainCode, postCompletion, proveNewChallenge } from "./sign-in.ts";

const DEFAULT_HEADER_PREFIX = "Service";

// The shared device's access token lives five minutes; a long run signs in a new one before that.
const DEVICE_AGE_MS = 3 * 60_000;
// The sequence is above all that cases give the deleted entities, and far below any limit.
const CLEAN_UP_SEQUENCE = 10_000;

const tokenResponse = createChecker(TokenResponse);

/** The profile that the input does not name is that of the capabilities. */
export async function openSyncServerUnderTest(
  input: SyncInput,
  http: HttpClient,
): Promise<SyncServerUnderTest> {
  const capabilities = await ignoreConformanceErrors(async () =>
    expectCapabilities(await http.origin(input.baseUrl).get("/v1/capabilities")),
  );
  const profile = input.profile ?? capabilities?.sync.profile;
  return createSyncServerUnderTest({ ...input, ...(profile !== undefined && { profile }) }, http);
}

export function createSyncServerUnderTest(input: SyncInput, http: HttpClient): SyncServerUnderTest {
  const origin = http.origin(input.baseUrl);
  const api = retryRateLimited(origin);
  const accessTokensByDevice = new Map<string, string>();
  const ids = createIds();
  const inTurn = createQueue();
  const oneAtATime = createQueue();
  let shared: { readonly device: Promise<TestDevice>; readonly since: number } | undefined;

  const post = createPost(api, accessTokensByDevice);
  const newClearId = (type: string) => {
    skipUnless(input.profile !== "sealed", "The instance takes only sealed operations");
    return ids.addEntity(`${type}/${ids.newId(type)}`);
  };

  const server: SyncServerUnderTest = {
    input,
    api,
    publicUrl: (input.publicUrl ?? input.baseUrl).replace(/\/$/, ""),
    http: SYNC_HTTP,
    samples: () => findSamples(server),
    otherRequests: () => findOtherRequests(server),
    redirectUri: input.redirectUri ?? DEFAULT_REDIRECT_URI,
    csrfHeader: `X-${input.headerPrefix ?? DEFAULT_HEADER_PREFIX}-CSRF`,
    post,
    newId: ids.newId,
    newSetting: () => newClearId("setting"),
    newHabit: () => newClearId("habit"),
    newSealedId: () => ids.addEntity(`sealed/${encodeBase64Url(randomBytes(32))}`),
    limits: memoize(() => readLimits(api)),
    device() {
      if (shared === undefined || Date.now() - shared.since > DEVICE_AGE_MS) {
        shared = { device: server.signIn(), since: Date.now() };
      }
      return shared.device;
    },
    async signIn(deviceId = ids.newId("device")) {
      const tokenRequest = await obtainCode(server, { deviceId });
      return createTestDevice(api, expectTokens(await post("/v1/token", tokenRequest)));
    },
    withoutWaiting: () => ({ ...server, post: createPost(origin, accessTokensByDevice) }),
    withFailedSignIns: (work) =>
      inTurn(async () => {
        const browser = (await becomeKnownBrowser(server)) ?? server;
        try {
          return await work(browser);
        } finally {
          // A right proof clears the failures.
          await postCompletion(browser, await proveNewChallenge(browser));
        }
      }),
    withKeys: (work) => oneAtATime(async () => work(await openTestKeys(server))),
    async cleanUp() {
      if (accessTokensByDevice.size === 0) return;
      const { maxPushOperations } = await server.limits();
      await deleteEntities(await server.signIn(), ids.entities, maxPushOperations);
      for (const token of accessTokensByDevice.values()) {
        await api.send("DELETE", "/v1/device", { Authorization: `Bearer ${token}` });
      }
      accessTokensByDevice.clear();
      shared = undefined;
    },
  };
  return server;
}

/** Ids that are new in every run, and the entities among them. */
function createIds() {
  const run = `conformance-${randomText(12).replaceAll(/[_-]/g, "x")}`;
  const entities: string[] = [];
  let count = 0;
  const newId = (what: string) => `${run}-${what}-${++count}`;
  const addEntity = (entityId: string) => {
    entities.push(entityId);
    return entityId;
  };
  return { entities, newId, addEntity };
}

/** The clean-up also signs out devices whose tokens a case did not expect. */
function createPost(
  target: Origin,
  accessTokensByDevice: Map<string, string>,
): SyncServerUnderTest["post"] {
  return async (path, value, headers = {}) => {
    const allHeaders = { ...JSON_BODY, ...headers };
    const response = await target.send("POST", path, allHeaders, JSON.stringify(value));
    const tokens = await readTokens(response);
    if (tokens !== null) accessTokensByDevice.set(tokens.deviceId, tokens.accessToken);
    return response;
  };
}

async function readTokens(response: ReceivedResponse): Promise<TokenResponse | null> {
  if (response.status !== 200) return null;
  const body = await ignoreConformanceErrors(() => expectJson(response));
  return tokenResponse.is(body) ? body : null;
}

async function readLimits(api: Origin): Promise<PublishedLimits> {
  const { sync } = expectCapabilities(await api.get("/v1/capabilities"));
  return {
    maxBodyBytes: sync.maximumBodyBytes,
    maxPushOperations: sync.maximumPushOperations,
    maxPullOperations: sync.maximumPullOperations,
  };
}

async function deleteEntities(
  device: TestDevice,
  entities: readonly string[],
  maxPushOperations: number,
): Promise<void> {
  const { deviceId } = device;
  const operations = entities.map((entityId, index) =>
    createOperation({ deviceId, entityId, kind: "delete", sequence: CLEAN_UP_SEQUENCE + index }),
  );
  for (let start = 0; start < operations.length; start += maxPushOperations) {
    await device.push(operations.slice(start, start + maxPushOperations));
  }
}
