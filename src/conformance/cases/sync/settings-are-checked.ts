import { MAX_SETTING_BYTES } from "../../../contract/sync/operation-limits.ts";
import { needsHabits } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import { expectRefusedPayloads } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const settingsAreChecked: SyncCase = {
  id: "settings-are-checked",
  title: "The payload of a setting is its value alone, of at most 4 KiB",
  section: "Trellis decision, sync service: payload rules, setting",
  async run(target) {
    needsHabits(target);
    await expectRefusedPayloads(target, target.newSetting(), [
      { value: undefined },
      { other: 1 },
      { value: "v".repeat(MAX_SETTING_BYTES - 1) },
    ]);
    const device = await target.device();
    const payload = { value: "v".repeat(MAX_SETTING_BYTES - 2) };
    const deviceId = target.newId("device");
    await device.store(createOperation({ deviceId, entityId: target.newSetting(), payload }));
  },
};
