/** Made-up habits and a week of entries, as an app would push them. */
import type { Operation } from "../../contract/sync/operation.ts";
import { formatEntityId } from "../../rules/sync/entity-id.ts";
import { buildOperation } from "../../rules/sync/operation.ts";

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
    const revision = { deviceId: DEVICE, sequence: ++sequence };
    return buildOperation({ kind: "create", revision, entityId, payload });
  };
  const begun = new Date(now - 7 * DAY).toISOString();
  const habits = HABITS.map((habit) =>
    create(formatEntityId("habit", habit.id), {
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
      return create(formatEntityId("entry", id, date), {
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
