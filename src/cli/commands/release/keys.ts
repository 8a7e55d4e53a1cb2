import { listKeys } from "../../../release/publishing/key-ring.ts";
import {
  describeUpdaterKeys,
  type UpdaterKeyOverview,
} from "../../../release/publishing/updater-keys.ts";
import { trustedKeys } from "../../../rules/release/catalog.ts";
import { defineCommand, option } from "../../command.ts";
import {
  openCatalogContext,
  readConfiguredCatalog,
  changeConfiguredCatalog,
  expectAllowed,
} from "./catalog-context.ts";
import {
  planKeyRevocation,
  planRotation,
  revokeKey,
  rotateKeys,
  type PlannedSigning,
} from "../../../release/publishing/change-signing.ts";
import { confirmPlan, PLAN_OPTIONS, type Plan } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";

export const showKeysCommand = defineCommand({
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

export const rotateKeysCommand = defineCommand({
  description:
    "Signs the manifest with the standby key and makes it the active key in one atomic step. Apps accept the manifest because they pin both keys. The file of the previous active key is not needed: it may be lost.",
  options: {
    standby: option("ID", "The new standby key, from the key ring (default: none until `key new`)"),
    ...PLAN_OPTIONS,
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const { standby } = context.options;
    const planned = expectAllowed(await planRotation(await openCatalogContext(context), standby));
    await confirmPlan(context, describePlan(planned));
    const rotated = await changeConfiguredCatalog(context, (catalog, askPassphrase) =>
      rotateKeys(catalog, standby, askPassphrase),
    );
    const { signing, previousActive, manifest } = rotated;
    const retired = signing.standby === previousActive ? null : previousActive;
    const role = retired === null ? "the standby key now" : "retired";
    context.print(
      `${signing.active} is the active key now, ${previousActive} is ${role}`,
      manifest !== null &&
        `Signed manifest ${manifest.sequence}; valid until ${manifest.expiresAt}`,
      signing.standby === undefined
        ? "Next: create a new standby key with `trellis release key new`, and ship the key ring with the app's next version"
        : "Next: ship the key ring with the app's next version (`trellis release key show`)",
      retired !== null &&
        `Keep the public key of ${retired} in keys.json while apps may pin it; destroy its private key`,
      retired !== null && `If ${retired} may be stolen: \`trellis release key revoke ${retired}\``,
    );
    context.json({ signing, retired, manifest });
  },
});

function describePlan({ before, signing, sequence }: PlannedSigning): Plan {
  const { active, standby } = signing;
  const signed =
    sequence === null ? "signs every manifest from now on" : `signs manifest ${sequence}`;
  const isStandby = standby === before.active;
  return {
    consequence: `This makes ${active} the active key in place of ${before.active}, and ${active} ${signed}`,
    details: [
      `Apps accept what ${active} signs only if they pin it`,
      isStandby
        ? `${before.active} becomes the standby key`
        : `${before.active} is retired: apps still trust it, but it no longer signs`,
      !isStandby &&
        (standby === undefined
          ? "There is no standby key then, until `trellis release key new` makes one"
          : `${standby} becomes the standby key`),
    ],
    plan: { before, signing, sequence },
  };
}

export const revokeKeyCommand = defineCommand({
  description:
    "For a stolen key. Signs a manifest that revokes it: apps that pin both the stolen key and the key that signs stop trusting the stolen one, and remember that. Apps that have seen the stolen key revoke the key that signs trust neither from then on. If the stolen key is the active one, the standby key takes its place in the same step. A revocation cannot be undone.",
  arguments: { id: { description: "The key's id, such as release-2026-01", required: true } },
  options: {
    standby: option("ID", "The new standby key, from the key ring (default: none)"),
    ...PLAN_OPTIONS,
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const { id } = context.args;
    const { standby } = context.options;
    const planned = expectAllowed(
      await planKeyRevocation(await openCatalogContext(context), id, standby),
    );
    await confirmPlan(context, describeRevocation(id, planned));
    const result = await changeConfiguredCatalog(context, (catalog, askPassphrase) =>
      revokeKey(catalog, id, standby, askPassphrase),
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

/** What installed copies will do depends on the keys that they were shipped with. */
function describeRevocation(id: string, { before, signing, sequence }: PlannedSigning): Plan {
  const { active, standby } = signing;
  const isActive = before.active === id;
  const manifest = sequence === null ? "the first manifest" : `manifest ${sequence}`;
  return {
    consequence: `This revokes ${id} for good, and ${active} signs ${manifest} that says so`,
    details: [
      isActive && `${active}, the standby key, becomes the active key in its place`,
      standby === undefined
        ? "There is no standby key then, until `trellis release key new` makes one"
        : `${standby} is the standby key then`,
      `Copies that pin ${id} and ${active}: once they see ${manifest}, they no longer trust ${id}, remember that, and update as before`,
      `Copies that pin ${id} alone: they refuse ${manifest}, and find no update until people install a version that pins ${active}`,
      `Copies that do not see ${manifest}: they still trust what the thief signs with ${id}`,
      `Copies that saw ${id} revoke ${active} before: they trust neither, and install nothing until a third key that they pin settles it`,
    ],
    plan: { revoked: id, before, signing, sequence },
  };
}

/** What a maker pastes into the app's configuration, so that its updater knows the key. */
export function describeUpdaterKey({ kind, appKey }: UpdaterKeyOverview): string[] {
  switch (kind) {
    case "minisign":
      return ["For tauri.conf.json, as plugins.updater.pubkey:", appKey];
    case "sparkle":
      return [
        "For Info.plist (WinSparkle: the resource EdDSAPub):",
        "<key>SUPublicEDKey</key>",
        `<string>${appKey}</string>`,
      ];
  }
}
