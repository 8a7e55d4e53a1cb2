import { revokeKey } from "../../../release/publishing/change-signing.ts";
import { defineCommand, option } from "../../command.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "For a stolen key. Signs a manifest that names the key as revoked: apps that pin it together with the key that signs stop trusting it, and remember that. Apps that saw it revoke the key that signs trust neither of the two from then on. When it is the active key, the standby key takes its place in the same step. A revoked key does not return.",
  arguments: { id: { description: "The key's id, such as release-2026-01", required: true } },
  options: {
    standby: option("ID", "The new standby key, one of the key ring (default: none is named)"),
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const { id } = context.args;
    const result = await changeConfiguredCatalog(context, (catalog, askPassphrase) =>
      revokeKey(catalog, id, context.options.standby, askPassphrase),
    );
    const { signing, manifest } = result;
    context.print(
      `Revoked ${id}; ${signing.active} is the active key`,
      manifest === null
        ? "Nothing is published yet; the first manifest will name the revoked key"
        : `Signed manifest ${manifest.sequence} with ${signing.active}; valid until ${manifest.expiresAt}`,
      signing.standby === undefined &&
        "Next: create a new standby key with `trellis release key new`",
      `Next: publish a version of the app that pins the key ring without ${id} (\`trellis release key show\`), because copies that see no manifest of ${signing.active} still trust ${id}, and copies that saw ${id} revoke ${signing.active} install nothing until a third key or that version settles it`,
      `Destroy the private key of ${id}`,
    );
    context.json({ revoked: id, signing, manifest });
  },
});
