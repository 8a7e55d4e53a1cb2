/** What the sync client has just exchanged with its server, for the log beside a frame. */
import type { LogEntry } from "./frame.ts";
import type { ResponseReader } from "./network.ts";

/** `deviceId` is that of this device: operations of others are merged, its own only come back. */
export function createActivityReader(
  baseUrl: string,
  deviceId: () => string | null,
  log: (entry: LogEntry) => void,
): ResponseReader {
  return async (url, response) => {
    const isPush = url === `${baseUrl}/v1/push`;
    const isPull = url.startsWith(`${baseUrl}/v1/pull`);
    if (!response.ok || (!isPush && !isPull)) return response;
    // Not a clone: the client ends the request as soon as it has read its own copy.
    const { status, headers } = response;
    const text = await response.text();
    try {
      const body: unknown = JSON.parse(text);
      const entries = isPush ? readPush(body as PushBody) : readPull(body as PullBody, deviceId());
      entries.forEach(log);
    } catch {
      // The client has its own words for what it cannot read.
    }
    return new Response(text, { status, headers });
  };
}

interface PushBody {
  readonly receipts: readonly { readonly cursor: string }[];
}

function readPush({ receipts }: PushBody): LogEntry[] {
  const cursor = receipts.at(-1)?.cursor;
  return cursor === undefined ? [] : [{ event: "pushed", count: receipts.length, cursor }];
}

interface PullBody {
  readonly operations: readonly { readonly revision: { readonly deviceId: string } }[];
  readonly cursor: string;
  readonly requiresSnapshot: boolean;
  readonly recoveryReason: string;
}

function readPull(body: PullBody, ownId: string | null): LogEntry[] {
  const { operations, cursor, requiresSnapshot, recoveryReason } = body;
  if (requiresSnapshot) return [{ event: "recovered", reason: recoveryReason, cursor }];
  const merged = operations.filter(({ revision }) => revision.deviceId !== ownId).length;
  return [
    ...(operations.length > 0
      ? [{ event: "pulled", count: operations.length, cursor } as const]
      : []),
    ...(merged > 0 ? [{ event: "merged", count: merged, cursor } as const] : []),
  ];
}
