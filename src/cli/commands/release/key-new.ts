import type { CreatedKeys } from "../../../release/publishing/key-ring.ts";
import { defineCommand, option } from "../../command.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import {
  createConfiguredKeys,
  openCatalogContext,
  describeSealing,
  readNewKeyPassphrase,
} from "./catalog-context.ts";

export const keyNewCommand = defineCommand({
  description:
    "The first call creates an active and a standby key: ship both public keys with the app from its first version, so that installed copies still update when one key is lost. Later calls create one more key for the next rotation.",
  options: {
    id: option("ID", "The key's id (default: release-YEAR-NN)"),
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const catalog = await openCatalogContext(context);
    const passphrase = await readNewKeyPassphrase(context, catalog);
    const created = await createConfiguredKeys(context, catalog, context.options.id, passphrase);
    context.print(
      ...created.keys.map(
        ({ role, keyId, path }) =>
          `Created the ${role === "unused" ? "" : `${role} `}key ${keyId}: ${path}`,
      ),
      describeSealing(passphrase),
      ...nextSteps(created),
    );
    const keys = created.keys.map(({ keyId, role, publicKey, path }) => {
      return { keyId, role, publicKey, path };
    });
    context.json({ keys, signing: created.signing, isEncrypted: passphrase !== undefined });
  },
});

function nextSteps({ keys, signing }: CreatedKeys): string[] {
  const [first] = keys;
  if (first?.role !== "unused") {
    return [
      "Next: copy the key files to a safe place, apart from each other, and ship the public keys with the app (`trellis release key show`)",
    ];
  }
  return [
    "Next: ship the key ring with the app's next version (`trellis release key show`)",
    `To rotate: \`trellis release key rotate --standby ${first.keyId}\` makes ${signing.standby} the active key in place of ${signing.active}`,
  ];
}
