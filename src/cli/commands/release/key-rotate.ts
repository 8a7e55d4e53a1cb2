import { rotateKeys } from "../../../release/publishing/key-ring.ts";
import { defineCommand } from "../../command.ts";
import { PASSPHRASE_OPTION, passphraseSource } from "./passphrase.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const keyRotateCommand = defineCommand({
  summary: "Let the standby key take over",
  description:
    "Signs the manifest with the standby key and makes it the active one, in one step. Apps accept it, because they pin both keys. The active key's file is not needed: it may be lost.",
  options: {
    standby: {
      type: "string",
      value: "ID",
      description: "The new standby, a key of the ring (default: none until `key new`)",
    },
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const bench = await openCatalogContext(context);
    const ask = passphraseSource(context, bench, context.options["passphrase-stdin"]);
    const rotated = resultOf(await rotateKeys(bench, context.options.standby, ask), context);
    const { signing, retired, manifest } = rotated;
    context.print(`${signing.active} signs from now on, ${retired} no longer does`);
    if (manifest !== null) {
      context.print(`Signed manifest ${manifest.sequence}; it lasts until ${manifest.expiresAt}`);
    }
    context.print(
      signing.standby === undefined
        ? "Next: make a new standby key with `trellis release key new`, and ship the ring with the app's next version"
        : "Next: ship the ring with the app's next version (`trellis release key show`)",
    );
    context.print(
      `Keep the public key of ${retired} in keys.json while apps may pin it; destroy its private key`,
    );
    context.json(rotated);
  },
});
