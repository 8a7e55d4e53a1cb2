/** What the sync client exchanges with its server, for the log beside a frame. */
import type { Fetch } from "trellis/client";
import type { LogEntry } from "./frame.ts";

export interface WatchOptions {
  /** Of the sync server. */
  readonly baseUrl: string;
  /** Of this device: operations of others are merged, its own only come back. */
  readonly deviceId: () => string | null;
  /** Whether the client reads only to check a key, and takes nothing in. */
  readonly isKeyNeeded: () => boolean;
  /** Called with each response, before what it brought is logged. */
  readonly onResponse: () => void;
  readonly log: (entry: LogEntry) => void;
}

export function watchSync(fetch: Fetch, options: WatchOptions): Fetch {
  const { baseUrl, deviceId, isKeyNeeded, onResponse, log } = options;
  return async (url, init) => {
    const isCheck = isKeyNeeded();
    const response = await fetch(url, init);
    onResponse();
    const isPush = url === `${baseUrl}/v1/push`;
    if (isCheck || !response.ok || (!isPush && !url.startsWith(`${baseUrl}/v1/pull`)))
      return response;
    // The client ends the request when it has read the response, and with it any copy.
    const text = await response.text();
    const body: unknown = JSON.parse(text);
    const entries = isPush ? readPush(body as PushBody) : readPull(body as PullBody, deviceId());
    entries.forEach(log);
    const { status, headers } = response;
    return new Response(text, { status, headers });
  };
}

/**
 * Logs that the connection is lost, and that it is back: at the first response, because the client says so only
 * after everything was sent.
 */
export function createConnectionLog(log: WatchOptions["log"]) {
  let isLost = false;
  return {
    lost(): void {
      if (!isLost) log({ event: "offline" });
      isLost = true;
    },
    found(): void {
      if (isLost) log({ event: "online" });
      isLost = false;
    },
  };
}

export type ConnectionLog = ReturnType<typeof createConnectionLog>;

interface PushBody {
  readonly receipts: readonly unknown[];
}

function readPush({ receipts }: PushBody): LogEntry[] {
  return receipts.length === 0 ? [] : [{ event: "pushed", count: receipts.length }];
}

interface PullBody {
  readonly operations: readonly { readonly revision: { readonly deviceId: string } }[];
  readonly requiresSnapshot: boolean;
  readonly recoveryReason: string;
}

function readPull(body: PullBody, ownId: string | null): LogEntry[] {
  const { operations, requiresSnapshot, recoveryReason } = body;
  if (requiresSnapshot) return [{ event: "recovered", reason: recoveryReason }];
  const merged = operations.filter(({ revision }) => revision.deviceId !== ownId).length;
  return [
    ...(operations.length > 0 ? [{ event: "pulled", count: operations.length } as const] : []),
    ...(merged > 0 ? [{ event: "merged", count: merged } as const] : []),
  ];
}
