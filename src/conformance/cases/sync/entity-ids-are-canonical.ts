import { needsHabits } from "../../sync/needs.ts";
import { createOperation, payloadOf } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

const WRONG = [
  "",
  "habit",
  "habit/",
  "habit/a/b",
  "Habit/a",
  "thing/a",
  "setting/a/b",
  "entry/a",
  "entry/a/2026-02-30",
  "entry/a/2026-1-31",
  "entry/a/20260131",
  "entry//2026-01-31",
  "habit/a b",
  "habit/%61",
  "habit/%c3%a9",
  "habit/\u00e9",
  "habit/%zz",
  "habit/%",
  "/habit/a",
];

export const entityIdsAreCanonical: SyncCase = {
  id: "entity-ids-are-canonical",
  title:
    "An entity id is habit/<id>, entry/<habit id>/<date> or setting/<key>, in its one spelling",
  section: "Trellis decision, sync service: entityId",
  async run(target) {
    needsHabits(target);
    const operations = WRONG.map((entityId) =>
      createOperation({ deviceId: target.newId("device"), entityId, payload: payloadOf(entityId) }),
    );
    await expectRefused(target, operations);
  },
};
