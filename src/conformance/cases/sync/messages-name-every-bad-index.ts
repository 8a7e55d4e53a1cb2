import { expectEach, violate } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { needsBatch } from "../../sync/needs.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const messagesNameEveryBadIndex: SyncCase = {
  id: "messages-name-every-bad-index",
  title: "The message of a refused push names the index of every bad operation, counted from 0",
  section: "Trellis decision, sync service: invalid_sync_operation",
  async run(target) {
    const device = await target.device();
    await needsBatch(target, 24);
    const batch: unknown[] = Array.from({ length: 24 }, () => freshOperation(target));
    for (const index of [0, 7, 23]) batch[index] = { ...freshOperation(target), kind: "upsert" };
    const answer = await device.push(batch);
    const { message } = expectError(answer, "invalid_sync_operation");
    await expectEach([0, 7, 23], (index) => {
      if (new RegExp(`\\b${index}\\b`).test(message)) return;
      violate(answer.asked, `a message that names ${index}`, message);
    });
    await expectEach([6, 22, 24], (index) => {
      if (!new RegExp(`\\b${index}\\b`).test(message)) return;
      violate(answer.asked, `a message that does not name ${index}`, message);
    });
  },
};
