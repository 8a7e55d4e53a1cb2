import { readForChange } from "../../../release/publishing/change-catalog.ts";
import { listKeys } from "../../../release/publishing/key-ring.ts";
import { trustedKeys } from "../../../rules/release/catalog.ts";
import { defineCommand } from "../../command.ts";
import { openCatalogContext, toCommandError } from "./catalog-context.ts";

export const keyShowCommand = defineCommand({
  async run(context) {
    const catalog = await openCatalogContext(context);
    const state = await readForChange(catalog);
    if (state.kind === "refused") throw toCommandError(state);
    const ring = trustedKeys(state.catalog);
    const keys = listKeys(state.catalog, catalog.keysFolder);
    if (keys.length === 0) {
      context.print("There are no keys yet: create them with `trellis release key new`");
    } else {
      context.print(
        "Public key ring, to ship with the app:",
        `${JSON.stringify(ring, null, 2)}\n`,
        ...keys.map(
          ({ keyId, role, isHere }) =>
            `${keyId}: ${role}, private key ${isHere ? "on this machine" : "not on this machine"}`,
        ),
      );
    }
    context.json({ ring, keys });
  },
});
