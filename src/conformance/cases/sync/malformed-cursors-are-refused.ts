import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { encodeText, readCursor } from "../../sync/cursor.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const malformedCursorsAreRefused: SyncCase = {
  id: "malformed-cursors-are-refused",
  title: "A cursor that no server wrote, or in another spelling, is invalid_cursor",
  section: "Trellis decision, sync service: cursor",
  async run(target) {
    const device = await target.device();
    const [receipt] = await device.store(freshOperation(target));
    const cursor = receipt?.cursor ?? "";
    const { generation, offset } = readCursor("POST /v1/push", cursor);
    const wrong = [
      "",
      "0",
      "none",
      "%00",
      `${cursor}=`,
      `${cursor}A`,
      cursor.slice(0, -3),
      encodeText("{}"),
      encodeText("[]"),
      encodeText(String(offset)),
      encodeText(JSON.stringify({ generation, offset, version: 1 })),
      encodeText(JSON.stringify({ version: 1, generation, offset, extra: 1 })),
      encodeText(JSON.stringify({ version: 2, generation, offset })),
      encodeText(JSON.stringify({ version: 1, generation, offset: -1 })),
      encodeText(JSON.stringify({ version: 1, generation, offset: 1.5 })),
      encodeText(JSON.stringify({ version: 1, generation, offset: String(offset) })),
      encodeText(JSON.stringify({ version: 1, generation: 1, offset })),
      encodeText(`{"version":1, "generation":"${generation}","offset":${offset}}`),
      encodeText(`{"version":1,"generation":"${generation}","offset":99999999999999999}`),
      "A".repeat(1000),
    ];
    await expectEach(wrong, async (text) => {
      expectError(await device.get(`/v1/pull?cursor=${text}`), "invalid_cursor");
    });
  },
};
