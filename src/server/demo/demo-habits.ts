/** Made-up habits and a week of entries, as an app would push them. */
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import type { Operation } from "../../contract/sync/operation.ts";

const DAY = 86_400_000;
const DEVICE = "demo-phone";

const HABITS = [
  { id: "water", name: "Drink water", color: "#2f7de1", icon: "drop", category: "health" },
  { id: "read", name: "Read ten pages", color: "#8a5cd1", icon: "book", category: "mind" },
  { id: "walk", name: "Take a walk", color: "#3c9a5f", icon: "path", category: "health" },
] as const;

export function createDemoOperations(now: number): Operation[] {
  let sequence = 0;
  const create = (entityId: string, payload: Readonly<Record<string, unknown>>): Operation => {
    sequence++;
    return {
      protocolVersion: PROTOCOL_VERSION,
      operationId: `operation/${DEVICE}/${sequence}`,
      kind: "create",
      revision: { deviceId: DEVICE, sequence },
      document: { schemaVersion: 1, entityId, deleted: false, payload: { ...payload } },
      changedFields: Object.keys(payload),
      changedMetadataFields: [],
    };
  };
  const begun = new Date(now - 7 * DAY).toISOString();
  const habits = HABITS.map((habit) =>
    create(`habit/${habit.id}`, {
      ...habit,
      description: null,
      frequency: "daily",
      targetCount: 1,
      customDays: null,
      isActive: true,
      createdAt: begun,
    }),
  );
  const entries = HABITS.flatMap(({ id }, place) =>
    Array.from({ length: 7 }, (_, day) => {
      const time = new Date(now - day * DAY).toISOString();
      const date = time.slice(0, 10);
      const completed = (day + place) % 3 !== 0;
      return create(`entry/${id}/${date}`, {
        id: `${id}-${date}`,
        habitId: id,
        date,
        completed,
        count: completed ? 1 : 0,
        timestamp: time,
      });
    }),
  );
  return [...habits, ...entries];
}
