import type { CreatedKeys } from "../../../release/publishing/key-ring.ts";
import { createUpdaterKey } from "../../../release/publishing/updater-keys.ts";
import { UPDATER_KEY_KINDS } from "../../../rules/release/updater-keys.ts";
import { defineCommand, option } from "../../command.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import {
  createConfiguredKeys,
  openCatalogContext,
  describeSealing,
  expectChanged,
  keepKeysPrivate,
  readNewKeyPassphrase,
} from "./catalog-context.ts";
import { describeUpdaterKey } from "./keys.ts";
import { parseChoice } from "./parse-options.ts";

const KINDS = ["manifest", ...UPDATER_KEY_KINDS] as const;

export const command = defineCommand({
  description:
    "The first call creates an active and a standby key: ship both public keys with the app from its first version, so that installed copies still update when one key is lost. Later calls create one more key for the next rotation. With --kind minisign or --kind sparkle it creates the one key that signs files for Tauri's updater or for Sparkle (`add-artifact --minisign`, `--sparkle`). Such a key never signs a manifest.",
  options: {
    kind: option(
      "KIND",
      `${KINDS.join(", ")} (default: manifest, for the app's own update client)`,
    ),
    id: option("ID", "The key's id (default: release-YEAR-NN, with the kind in place of release)"),
    ...PASSPHRASE_OPTION,
  },
  examples: ["trellis release key new", "trellis release key new --kind minisign"],
  async run(context) {
    const kind = parseChoice("--kind", context.options.kind ?? "manifest", KINDS);
    const catalog = await openCatalogContext(context);
    const passphrase = await readNewKeyPassphrase(context, catalog);
    if (kind !== "manifest") {
      keepKeysPrivate(catalog);
      const change = await createUpdaterKey(catalog, kind, context.options.id, passphrase);
      const created = expectChanged(change, context);
      context.print(
        `Created the ${kind} key ${created.keyId}: ${created.path}`,
        describeSealing(passphrase),
        ...describeUpdaterKey(created),
        "Next: copy the key file to a safe place, because apps that know this key accept no other key",
      );
      return context.json({ key: created, isEncrypted: passphrase !== undefined });
    }
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
