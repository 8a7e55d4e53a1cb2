/** A signed-in device of the run, asking with its access token. */
import type { Operation } from "../../contract/sync/operation.ts";
import type { Receipt, TokenResponse } from "../../contract/sync/schemas.ts";
import { violate } from "../expect.ts";
import type { HttpResponse, Origin, RequestHeaders } from "../http.ts";
import {
  expectError,
  expectPage,
  expectReceipts,
  expectSnapshot,
  type Snapshot,
} from "./bodies.ts";

export type Page = ReturnType<typeof expectPage>;

export interface TestDevice {
  readonly deviceId: string;
  readonly tokens: TokenResponse;
  /** The header that proves who asks. */
  readonly bearer: RequestHeaders;
  get(path: string, headers?: RequestHeaders): Promise<HttpResponse>;
  post(path: string, value: unknown, headers?: RequestHeaders): Promise<HttpResponse>;
  push(operations: readonly unknown[]): Promise<HttpResponse>;
  /** A push that is stored, with its receipts. */
  store(...operations: Operation[]): Promise<Receipt[]>;
  pull(query?: Readonly<Record<string, string | number>>): Promise<Page>;
  /** Every operation after a cursor, to the head. */
  pullAll(cursor: string): Promise<Operation[]>;
  snapshot(): Promise<Snapshot>;
}

export const JSON_BODY: RequestHeaders = { "Content-Type": "application/json" };

// Other devices may push while the pages are read; a server that never ends them is stopped here.
const MAX_PAGES = 200;

export function createTestDevice(api: Origin, tokens: TokenResponse): TestDevice {
  const bearer = { Authorization: `Bearer ${tokens.accessToken}` };
  const get = (path: string, headers: RequestHeaders = {}) =>
    api.get(path, { ...bearer, ...headers });
  const post = (path: string, value: unknown, headers: RequestHeaders = {}) =>
    api.send("POST", path, { ...JSON_BODY, ...bearer, ...headers }, JSON.stringify(value));
  const push = (operations: readonly unknown[]) => post("/v1/push", { operations });
  const pull = async (query: Readonly<Record<string, string | number>> = {}) => {
    const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
    const suffix = search.length === 0 ? "" : `?${search.join("&")}`;
    return expectPage(await get(`/v1/pull${suffix}`));
  };
  return {
    deviceId: tokens.deviceId,
    tokens,
    bearer,
    get,
    post,
    push,
    async store(...operations) {
      const answer = await push(operations);
      const { receipts } = expectReceipts(answer);
      if (receipts.length === operations.length) return receipts;
      return violate(answer.asked, `${operations.length} receipts`, String(receipts.length));
    },
    pull,
    async pullAll(start) {
      const operations: Operation[] = [];
      let cursor = start;
      for (let count = 0; count < MAX_PAGES; count++) {
        const page = await pull({ cursor });
        operations.push(...(page.operations as Operation[]));
        if (page.cursor === cursor) return operations;
        cursor = page.cursor;
      }
      return violate("GET /v1/pull", "a last page", `none among ${MAX_PAGES}`);
    },
    snapshot: async () => expectSnapshot(await get("/v1/snapshot")),
  };
}

/** The device is signed in. */
export async function expectAlive(device: TestDevice): Promise<void> {
  const answer = await device.get("/v1/device");
  if (answer.status !== 200) {
    violate(answer.asked, "a device that is still signed in", `status ${answer.status}`);
  }
}

/** Neither of its tokens is good for anything. */
export async function expectSignedOut(device: TestDevice, api: Origin): Promise<void> {
  expectError(await device.get("/v1/device"), "invalid_access_token");
  const { refreshToken } = device.tokens;
  const body = JSON.stringify({ grantType: "refresh_token", refreshToken });
  expectError(await api.send("POST", "/v1/refresh", JSON_BODY, body), "invalid_refresh_token");
}
