import { needsHabits } from "../../sync/needs.ts";
import { expectRefusedPayloads } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const habitsAreChecked: SyncCase = {
  id: "habits-are-checked",
  title: "The payload of a habit has its members, each of its kind",
  section: "Trellis decision, sync service: payload rules, habit",
  async run(target) {
    needsHabits(target);
    const texts = ["name", "color", "icon", "category"].flatMap((name) => [
      { [name]: "" },
      { [name]: 1 },
      { [name]: undefined },
    ]);
    await expectRefusedPayloads(target, target.newHabit(), [
      ...texts,
      { id: "another" },
      { id: undefined },
      { frequency: "yearly" },
      { frequency: undefined },
      { targetCount: 0 },
      { targetCount: "1" },
      { customDays: 0 },
      { customDays: 8 },
      { customDays: [1] },
      { isActive: 1 },
      { isActive: undefined },
      { createdAt: "yesterday" },
      { createdAt: "2026-02-30T00:00:00Z" },
      { createdAt: 1 },
      { description: 1 },
    ]);
  },
};
