import {
  planRotation,
  rotateKeys,
  type PlannedRotation,
} from "../../../release/publishing/change-signing.ts";
import { defineCommand, option } from "../../command.ts";
import { confirmPlan, PLAN_OPTIONS, type Plan } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { changeConfiguredCatalog, expectAllowed, openCatalogContext } from "./catalog-context.ts";

export const command = defineCommand({
  description:
    "Signs the manifest with the standby key and makes it the active key in one atomic step. Apps accept the manifest because they pin both keys. The file of the key that was active is not needed: it may be lost.",
  options: {
    standby: option(
      "ID",
      "The new standby key, one of the key ring (default: none until `key new`)",
    ),
    ...PLAN_OPTIONS,
    ...PASSPHRASE_OPTION,
  },
  async run(context) {
    const { standby } = context.options;
    const planned = expectAllowed(await planRotation(await openCatalogContext(context), standby));
    if (!(await confirmPlan(context, describePlan(planned)))) return;
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

function describePlan({ before, signing, sequence }: PlannedRotation): Plan {
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
        : `${before.active} is retired: apps still trust it, and it does not sign any more`,
      !isStandby &&
        (standby === undefined
          ? "There is no standby key then, until `trellis release key new` makes one"
          : `${standby} becomes the standby key`),
    ],
    plan: { before, signing, sequence },
  };
}
