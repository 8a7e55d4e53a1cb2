import { rotateKeys } from "../../../release/publishing/change-signing.ts";
import { defineCommand, option } from "../../command.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const keyRotateCommand = defineCommand({
  description:
    "Signs the manifest with the standby key and makes it the active key in one atomic step. Apps accept the manifest because they pin both keys. The file of the key that was active is not needed: it may be lost.",
  options: {
    standby: option(
      "ID",
      "The new standby key, one of the key ring (default: none until `key new`)",
    ),
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const rotated = await changeConfiguredCatalog(context, (catalog, askPassphrase) =>
      rotateKeys(catalog, context.options.standby, askPassphrase),
    );
    const { signing, previousActive: retired, manifest } = rotated;
    context.print(
      `${signing.active} is the active key now, ${retired} is retired`,
      ...(manifest === null
        ? []
        : [`Signed manifest ${manifest.sequence}; valid until ${manifest.expiresAt}`]),
      signing.standby === undefined
        ? "Next: create a new standby key with `trellis release key new`, and ship the key ring with the app's next version"
        : "Next: ship the key ring with the app's next version (`trellis release key show`)",
      `Keep the public key of ${retired} in keys.json while apps may pin it; destroy its private key`,
      `If ${retired} may be stolen: \`trellis release key revoke ${retired}\``,
    );
    context.json({ signing, retired, manifest });
  },
});
