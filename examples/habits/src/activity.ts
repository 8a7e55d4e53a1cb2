/** What the sync client has just exchanged with its server, for the log beside a frame. */
import type { LogEntry } from "./frame.ts";

/** `deviceId` is that of this device: operations of others are merged, its own only come back. */
export function createActivityReader(
  baseUrl: string,
  deviceId: () => string | null,
  log: (entry: LogEntry) => void,
): (url: string, response: Response) => void {
  return (url, response) => {
    if (!response.ok) return;
    const read = url === `${baseUrl}/v1/push` ? readPush : readPull;
    if (read === readPull && !url.startsWith(`${baseUrl}/v1/pull`)) return;
    // The client reads the response itself; a copy that cannot be read is no news.
    void response
      .clone()
      .json()
      .then((body) => read(body as never, deviceId()).forEach(log))
      .catch(() => {});
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
