import { createKeys, type CreatedKeys } from "../../../release/publishing/key-ring.ts";
import { defineCommand } from "../../command.ts";
import { newPassphrase, PASSPHRASE_OPTION } from "./passphrase.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const keyNewCommand = defineCommand({
  summary: "Make signing keys",
  description:
    "The first time it makes an active and a standby key: ship both public keys with the app from day one, so that losing one strands nobody. Later it makes one more key for the next rotation.",
  options: {
    id: { type: "string", value: "ID", description: "The key's id (default: release-YEAR-NN)" },
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const bench = await openCatalogContext(context);
    const passphrase = await newPassphrase(context, bench, context.options["passphrase-stdin"]);
    const made = resultOf(await createKeys(bench, context.options.id, passphrase), context);
    for (const { role, keyId, path } of made.keys) {
      context.print(`Made the ${role === "none" ? "" : `${role} `}key ${keyId}: ${path}`);
    }
    context.print(
      passphrase === undefined
        ? "The key files are not encrypted; only this user may read them"
        : "The key files are encrypted with your passphrase",
    );
    for (const line of nextSteps(made)) context.print(line);
    const keys = made.keys.map(({ keyId, role, publicKey, path }) => ({
      keyId,
      role,
      publicKey,
      path,
    }));
    context.json({ keys, signing: made.signing, isEncrypted: passphrase !== undefined });
  },
});

function nextSteps({ keys, signing }: CreatedKeys): string[] {
  const [first] = keys;
  if (first?.role !== "none") {
    return [
      "Next: copy the key files to a safe place, apart from each other, and ship the public keys with the app (`trellis release key show`)",
    ];
  }
  return [
    "Next: ship the key ring with the app's next version (`trellis release key show`)",
    `To rotate: \`trellis release key rotate --standby ${first.keyId}\` lets ${signing.standby} take over from ${signing.active}`,
  ];
}
