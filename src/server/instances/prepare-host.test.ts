import assert from "node:assert/strict";
import { test } from "node:test";
import { createLineWriter } from "../../http/line-writer.ts";
import { loadConfiguration } from "../configuration.ts";
import { prepareSyncHost } from "./prepare-host.ts";

test("a schedule of backups is refused beside instances, and says what to do instead", async () => {
  const instances = { ada: { baseUrl: "http://localhost:4811" } };
  const configuration = await loadConfiguration({
    path: "no-such-file.json",
    isRequired: false,
    env: { TRELLIS_SYNC_INSTANCES: JSON.stringify(instances), TRELLIS_SYNC_BACKUP_EVERY: "day" },
  });
  const { sync } = configuration;
  assert.ok(sync !== undefined);
  const loaded = { source: "configuration", instances } as const;
  await assert.rejects(
    prepareSyncHost(
      sync,
      configuration,
      loaded,
      createLineWriter(() => {}),
    ),
    /sync\.backup is for a server without instances: .*trellis sync backup --instance NAME/,
  );
});
