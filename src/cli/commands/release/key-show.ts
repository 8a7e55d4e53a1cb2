import { readForChange } from "../../../release/publishing/change-catalog.ts";
import { listKeys } from "../../../release/publishing/key-ring.ts";
import { defineCommand } from "../../command.ts";
import { failure, openCatalogContext } from "./workbench.ts";

export const keyShowCommand = defineCommand({
  summary: "Show the public keys, for the app to pin",
  async run(context) {
    const bench = await openCatalogContext(context);
    const state = await readForChange(bench);
    if (state.kind === "refused") throw failure(state);
    const keys = listKeys(state.catalog, bench.keysFolder);
    if (keys.length === 0) {
      context.print("There are no keys yet: make them with `trellis release key new`");
    } else {
      context.print("Public key ring, to ship with the app:");
      context.print(JSON.stringify(state.catalog.keys, null, 2));
      context.print("");
    }
    for (const { keyId, role, isHere } of keys) {
      context.print(
        `${keyId}: ${role === "none" ? "no role" : role}, private key ${isHere ? "here" : "not here"}`,
      );
    }
    context.json({ ring: state.catalog.keys, keys });
  },
});
