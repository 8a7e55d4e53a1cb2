/** The sync server under test: how it is asked, and what the run left behind in it. */
import { createChecker } from "../../contract/check.ts";
import { TokenResponse } from "../../contract/sync/schemas.ts";
import type { SyncLimits } from "../../contract/sync/values.ts";
import { ViolationError, type ConformanceCase } from "../case.ts";
import { readJson } from "../expect.ts";
import type { HttpResponse, HttpClient, Origin, RequestHeaders } from "../http.ts";
import { expectCapabilities, expectTokens } from "./bodies.ts";
import { createTestDevice, JSON_BODY, type TestDevice } from "./device.ts";
import { DEFAULT_HEADER_PREFIX, DEFAULT_REDIRECT_URI, type SyncInput } from "./input.ts";
import { createOperation } from "./operations.ts";
import { randomText } from "../primitives.ts";
import { complete, completion, challenge, obtainGrant } from "./sign-in.ts";

export type SyncCase = ConformanceCase<SyncTarget>;

export interface SyncTarget {
  readonly input: SyncInput;
  readonly api: Origin;
  /** The base URL that the server is set up with, without a final slash. */
  readonly publicUrl: string;
  readonly redirectUri: string;
  readonly csrfHeader: string;
  post(path: string, value: unknown, headers?: RequestHeaders): Promise<HttpResponse>;
  /** An id that nothing else has: of this run, and of this call. */
  newId(what: string): string;
  /** Entities of this run's own; they are deleted at its end. */
  newSetting(): string;
  newHabit(): string;
  /** The limits that the server says it has. */
  limits(): Promise<SyncLimits>;
  /** A device that all cases share and none revokes. */
  device(): Promise<TestDevice>;
  /** A device of the case's own. */
  signIn(deviceId?: string): Promise<TestDevice>;
  /**
   * Runs what sends at most four wrong proofs, one such work at a time, and signs in after it: a
   * fifth failure in a row would make the throttle refuse everybody at this address.
   */
  failing<T>(work: () => Promise<T>): Promise<T>;
  /** Signs the devices of the run out and deletes its entities, as far as the server lets it. */
  cleanUp(): Promise<void>;
}

// The shared device's access token lives five minutes; a long run takes a new device before that.
const DEVICE_AGE_MS = 3 * 60_000;
// Above every sequence that a case gives the entities that are deleted, far below any limit.
const CLEAN_UP_SEQUENCE = 10_000;

const tokenAnswer = createChecker(TokenResponse);

export function createSyncTarget(input: SyncInput, http: HttpClient): SyncTarget {
  const api = http.origin(input.baseUrl);
  const run = `conformance-${randomText(12).replaceAll(/[_-]/g, "x")}`;
  const accessTokens = new Map<string, string>();
  const entities: string[] = [];
  let count = 0;
  let limits: Promise<SyncLimits> | undefined;
  let shared: { readonly device: Promise<TestDevice>; readonly since: number } | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const newId = (what: string) => `${run}-${what}-${++count}`;
  const newEntity = (type: string) => {
    const entityId = `${type}/${newId(type)}`;
    entities.push(entityId);
    return entityId;
  };
  const post = async (path: string, value: unknown, headers: RequestHeaders = {}) => {
    const answer = await api.send(
      "POST",
      path,
      { ...JSON_BODY, ...headers },
      JSON.stringify(value),
    );
    const tokens = readTokens(answer);
    // Whoever got tokens, wanted or not, is signed out at the end.
    if (tokens !== null) accessTokens.set(tokens.deviceId, tokens.accessToken);
    return answer;
  };

  const target: SyncTarget = {
    input,
    api,
    publicUrl: (input.publicUrl ?? input.baseUrl).replace(/\/$/, ""),
    redirectUri: input.redirectUri ?? DEFAULT_REDIRECT_URI,
    csrfHeader: `X-${input.headerPrefix ?? DEFAULT_HEADER_PREFIX}-CSRF`,
    post,
    newId,
    newSetting: () => newEntity("setting"),
    newHabit: () => newEntity("habit"),
    limits: () => (limits ??= readLimits(api)),
    device() {
      if (shared === undefined || Date.now() - shared.since > DEVICE_AGE_MS) {
        shared = { device: target.signIn(), since: Date.now() };
      }
      return shared.device;
    },
    async signIn(deviceId = newId("device")) {
      const grant = await obtainGrant(target, { deviceId });
      return createTestDevice(api, expectTokens(await post("/v1/token", grant)));
    },
    failing(work) {
      const turn = queue.then(async () => {
        try {
          return await work();
        } finally {
          await signInAgain(target);
        }
      });
      queue = turn.catch(() => {});
      return turn;
    },
    async cleanUp() {
      if (accessTokens.size === 0) return;
      const { maxPushOperations } = await target.limits();
      await deleteEntities(await target.signIn(), entities, maxPushOperations);
      for (const token of accessTokens.values()) {
        await api.send("DELETE", "/v1/device", { Authorization: `Bearer ${token}` });
      }
      accessTokens.clear();
      shared = undefined;
    },
  };
  return target;
}

function readTokens(answer: HttpResponse): { deviceId: string; accessToken: string } | null {
  if (answer.status !== 200) return null;
  try {
    const body = readJson(answer);
    return tokenAnswer.is(body) ? body : null;
  } catch (error) {
    // What is wrong with the answer is for the case to say.
    if (error instanceof ViolationError) return null;
    throw error;
  }
}

async function readLimits(api: Origin): Promise<SyncLimits> {
  const { sync } = expectCapabilities(await api.get("/v1/capabilities"));
  return {
    maxBodyBytes: sync.maximumBodyBytes,
    maxPushOperations: sync.maximumPushOperations,
    maxPullOperations: sync.maximumPullOperations,
  };
}

/** A right proof clears what was held against the account and this address. */
async function signInAgain(target: SyncTarget): Promise<void> {
  await complete(target, await completion(target, await challenge(target)));
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
