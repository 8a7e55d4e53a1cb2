import { listKeys } from "../../../release/publishing/key-ring.ts";
import { describeUpdaterKeys } from "../../../release/publishing/updater-keys.ts";
import { trustedKeys } from "../../../rules/release/catalog.ts";
import { defineCommand } from "../../command.ts";
import { openCatalogContext, readConfiguredCatalog } from "./catalog-context.ts";
import { describeUpdaterKey } from "./describe-updater-key.ts";

export const command = defineCommand({
  async run(context) {
    const { keysFolder } = await openCatalogContext(context);
    const catalog = await readConfiguredCatalog(context);
    const ring = trustedKeys(catalog);
    const keys = listKeys(catalog, keysFolder);
    if (keys.length === 0) {
      context.print("There are no keys yet: create them with `trellis release key new`");
    } else {
      context.print(
        "Public key ring, to ship with the app:",
        ...JSON.stringify(ring, null, 2).split("\n"),
        "",
        ...keys.map(
          ({ keyId, role, isHere }) =>
            `${keyId}: ${role}, private key ${isHere ? "on this machine" : "not on this machine"}`,
        ),
      );
    }
    const updaterKeys = describeUpdaterKeys(catalog.settings, keysFolder);
    for (const key of updaterKeys) {
      context.print(
        "",
        `${key.keyId}: ${key.kind} key, private key ${key.isHere ? "on this machine" : "not on this machine"}`,
        ...describeUpdaterKey(key),
      );
    }
    context.json({ ring, keys, updaterKeys });
  },
});
