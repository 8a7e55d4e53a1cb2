import type {
  Operation,
  SealedSnapshotEntity,
  SnapshotEntity,
} from "../../src/contract/sync/operation.ts";
import type { Receipt, TokenResponse } from "../../src/contract/sync/schemas.ts";
import { fail } from "../expect.ts";
import type { Origin, ReceivedResponse, SentHeaders } from "../http.ts";
import {
  expectError,
  expectPage,
  expectReceipts,
  expectSealedSnapshot,
  expectSnapshot,
  type Snapshot,
} from "./expectations.ts";

/** A signed-in device, which sends its access token with every request. */
export interface TestDevice {
  readonly deviceId: string;
  readonly tokens: TokenResponse;
  /** The `Authorization` header. */
  readonly bearer: SentHeaders;
  get(path: string, headers?: SentHeaders): Promise<ReceivedResponse>;
  post(path: string, value: unknown, headers?: SentHeaders): Promise<ReceivedResponse>;
  push(operations: readonly unknown[]): Promise<ReceivedResponse>;
  /** Pushes operations that the server must store, and returns their receipts. */
  store(...operations: Operation[]): Promise<Receipt[]>;
  storeOne(operation: Operation): Promise<Receipt>;
  pull(query?: Readonly<Record<string, string | number>>): Promise<ReturnType<typeof expectPage>>;
  /** Every operation from a cursor to the head, or those of one device. */
  pullAll(cursor: string, deviceId?: string): Promise<Operation[]>;
  snapshot(): Promise<Snapshot>;
  /** The state of one entity in a snapshot. */
  entity(entityId: string): Promise<SnapshotEntity>;
  sealedEntity(entityId: string): Promise<SealedSnapshotEntity>;
}

export const JSON_BODY: SentHeaders = { "Content-Type": "application/json" };

// Other devices may push while the run reads pages; a server that never ends them fails here.
const MAX_PAGES = 200;

export function createTestDevice(api: Origin, tokens: TokenResponse): TestDevice {
  const bearer = { Authorization: `Bearer ${tokens.accessToken}` };
  const device: TestDevice = {
    deviceId: tokens.deviceId,
    tokens,
    bearer,
    get: (path, headers = {}) => api.get(path, { ...bearer, ...headers }),
    post: (path, value, headers = {}) =>
      api.send("POST", path, { ...JSON_BODY, ...bearer, ...headers }, JSON.stringify(value)),
    push: (operations) => device.post("/v1/push", { operations }),
    async store(...operations) {
      const response = await device.push(operations);
      const { receipts } = expectReceipts(response);
      if (receipts.length === operations.length) return receipts;
      return fail(response, `${operations.length} receipts`, String(receipts.length));
    },
    async storeOne(operation) {
      const [receipt] = await device.store(operation);
      return receipt as Receipt;
    },
    async pull(query = {}) {
      const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
      const suffix = search.length === 0 ? "" : `?${search.join("&")}`;
      return expectPage(await device.get(`/v1/pull${suffix}`));
    },
    async pullAll(start, deviceId) {
      const operations: Operation[] = [];
      let cursor = start;
      for (let count = 0; count < MAX_PAGES; count++) {
        const page = await device.pull({ cursor });
        operations.push(...(page.operations as Operation[]));
        if (page.cursor === cursor) {
          return operations.filter(
            ({ revision }) => deviceId === undefined || revision.deviceId === deviceId,
          );
        }
        cursor = page.cursor;
      }
      return fail("GET /v1/pull", "a last page", `none among ${MAX_PAGES}`);
    },
    snapshot: async () => expectSnapshot(await device.get("/v1/snapshot")),
    async entity(entityId) {
      const { entities } = await device.snapshot();
      const found = entities.find((entity) => entity.entityId === entityId);
      return found ?? fail("GET /v1/snapshot", `the entity ${entityId}`, "none");
    },
    async sealedEntity(entityId) {
      const entities = expectSealedSnapshot(await device.get("/v1/snapshot"));
      const found = entities.find((entity) => entity.entityId === entityId);
      return found ?? fail("GET /v1/snapshot", `the entity ${entityId}`, "none");
    },
  };
  return device;
}

/** The values of the registers in an entity state. */
export function valuesOf(registers: SnapshotEntity["payloadFields"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(registers).map(([name, { value }]) => [name, value]));
}

export async function expectSignedIn(device: TestDevice): Promise<void> {
  const response = await device.get("/v1/device");
  if (response.status !== 200) {
    fail(response, "a device that is still signed in", `status ${response.status}`);
  }
}

/** The server rejects both tokens of the device. */
export async function expectSignedOut(device: TestDevice, api: Origin): Promise<void> {
  expectError(await device.get("/v1/device"), "invalid_access_token");
  const { refreshToken } = device.tokens;
  const body = JSON.stringify({ grantType: "refresh_token", refreshToken });
  expectError(await api.send("POST", "/v1/refresh", JSON_BODY, body), "invalid_refresh_token");
}
