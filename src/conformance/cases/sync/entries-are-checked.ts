import { needsHabits } from "../../sync/needs.ts";
import { expectRefusedPayloads } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const entriesAreChecked: SyncCase = {
  id: "entries-are-checked",
  title: "The payload of an entry has its members, and its habit and date are those of its id",
  section: "Trellis decision, sync service: payload rules, entry",
  async run(target) {
    needsHabits(target);
    await expectRefusedPayloads(target, `entry/${target.newId("habit")}/2026-01-31`, [
      { id: "" },
      { id: 1 },
      { id: "e".repeat(129) },
      { habitId: "another" },
      { date: "2026-02-01" },
      { completed: "yes" },
      { completed: undefined },
      { count: -1 },
      { count: "1" },
      { timestamp: "31.01.2026" },
      { timestamp: undefined },
    ]);
  },
};
