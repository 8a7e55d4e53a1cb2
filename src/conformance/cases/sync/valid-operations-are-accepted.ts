import { expectEach } from "../../expect.ts";
import { createOperation, payloadOf } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const validOperationsAreAccepted: SyncCase = {
  id: "valid-operations-are-accepted",
  title:
    "What the rules allow is stored: every kind and type, local date-times, absent customDays, further fields",
  section: "Trellis decision, sync service: operation; payload rules",
  async run(target) {
    const device = await target.device();
    const deviceId = target.newId("device");
    let sequence = 0;
    const make = (sketch: Partial<Parameters<typeof createOperation>[0]> & { entityId: string }) =>
      createOperation({ deviceId, sequence: ++sequence, ...sketch });
    const [habit, setting] = [target.newHabit(), target.newSetting()];
    const { customDays: _customDays, ...withoutDays } = payloadOf(habit);
    const operations = [
      make({ entityId: habit }),
      make({ entityId: habit, kind: "patch", changedFields: ["name"] }),
      make({ entityId: habit, kind: "delete" }),
      make({ entityId: habit, kind: "restore", payload: withoutDays }),
      make({
        entityId: habit,
        payload: { ...payloadOf(habit), customDays: 7, description: "text" },
      }),
      make({ entityId: habit, payload: { ...payloadOf(habit), mood: { of: ["any", "kind"] } } }),
      make({
        entityId: habit,
        payload: { ...payloadOf(habit), createdAt: "2026-01-31T12:00:00+02:00" },
      }),
      make({ entityId: `entry/${habit.slice(6)}/2026-02-28` }),
      make({ entityId: setting, payload: { value: { any: [null, true, "JSON"] } } }),
      make({ entityId: setting, metadata: { updatedBy: "somebody", parts: [1] } }),
      make({ entityId: setting, kind: "delete", metadata: { reason: "none" } }),
    ];
    await expectEach(operations, async (operation) => void (await device.store(operation)));
    // An entry has an id of its own, which is deleted like the others at the end.
    await device.store(make({ entityId: `entry/${habit.slice(6)}/2026-02-28`, kind: "delete" }));
  },
};
