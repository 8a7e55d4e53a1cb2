/** What status and doctor show of an instance key: never the key. */
import { DAY_MS } from "../contract/durations.ts";
import { instanceKeyId, type InstanceKeyRing } from "../identity/key-ring.ts";

export interface KeySummary {
  readonly id: string;
  /** When the key was made; null when that is not known. */
  readonly createdAt: string | null;
  /** The retired keys, the newest first. */
  readonly retired: readonly RetiredKeySummary[];
}

export interface RetiredKeySummary {
  readonly id: string;
  readonly createdAt: string | null;
  readonly retiredAt: string;
}

export function summarizeKeys({ secret, createdAt, retired }: InstanceKeyRing): KeySummary {
  return {
    id: instanceKeyId(secret),
    createdAt: toText(createdAt),
    retired: retired.map((old) => ({
      id: instanceKeyId(old.secret),
      createdAt: toText(old.createdAt),
      retiredAt: new Date(old.retiredAt).toISOString(),
    })),
  };
}

/** "3f2a9c10b7de, 12 days old, 1 retired". */
export function describeKeys({ id, createdAt, retired }: KeySummary, now: number): string {
  const days = createdAt === null ? null : Math.floor((now - Date.parse(createdAt)) / DAY_MS);
  return [
    id,
    ...(days === null ? [] : [days === 1 ? "1 day old" : `${Math.max(0, days)} days old`]),
    ...(retired.length === 0 ? [] : [`${retired.length} retired`]),
  ].join(", ");
}

function toText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
