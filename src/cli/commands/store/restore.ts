import { timingSafeEqual } from "node:crypto";
import type { Authenticity, BackupManifest } from "../../../backup/format/backup-format.ts";
import { backupKeyOf, chooseBackupKey } from "../../../backup/backup-key.ts";
import {
  keyPlaceOf,
  nameKey,
  placeKey,
  readKeyOf,
  type KeySection,
} from "../../../identity/key-place.ts";
import type { InstanceKeyRing } from "../../../identity/key-ring.ts";
import { restoreStore } from "../../../backup/restore-store.ts";
import { CommandError, defineCommand, flag, type Command } from "../../command.ts";
import { explainFileErrors, explainStoreErrors } from "../../explain-store-errors.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { readSection } from "../../read-section.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import {
  openBackupKeys,
  readBackupPassphrase,
  IDENTITY_OPTION,
  readIdentities,
} from "./open-backup-keys.ts";
import { ACCEPT_OPTION, explainRisk, type ManagedService } from "./managed-service.ts";
import { expectOneInput, useBackup } from "./pipe-backup.ts";

export function defineRestore(service: ManagedService): Command {
  const { name, descriptions } = service;
  return defineCommand({
    description: `Refuses to run while a server uses the store, and refuses an invalid or changed backup before anything is changed. The replaced contents are kept in a file. ${descriptions.restore}`,
    arguments: { file: { description: "The backup, or - for a pipe", required: true } },
    options: {
      ...IDENTITY_OPTION,
      "with-key": flag("Also restore the instance key from the backup, if there is none yet"),
      ...ACCEPT_OPTION,
      ...PASSPHRASE_OPTION,
      ...PLAN_OPTIONS,
    },
    examples: [`trellis ${name} restore /backup/${name}-2026-01-31.backup`],
    async run(context) {
      const { "with-key": withKey, "accept-unauthenticated": isAccepted } = context.options;
      expectOneInput(context.args.file, context.options["passphrase-stdin"]);
      const { configuration, section } = await readSection(context, name);
      const { store } = section;
      const passphrase = withKey ? await readBackupPassphrase(context) : null;
      const readKey = async () => backupKeyOf(await readKeyOf(section), name);
      const target = { store, dataDir: configuration.dataDir, readKey };
      const identities = await readIdentities(context, context.options.identity);
      let ring: InstanceKeyRing | null = null;
      const restore = (path: string) =>
        restoreStore(service, target, path, {
          identities,
          async findKey(header) {
            if (passphrase !== null) {
              ring = await openBackupKeys(header.instanceKey, passphrase, name);
            }
            return chooseBackupKey(ring ?? (await readKeyOf(section)), name, header);
          },
          async accept({ authenticity }) {
            expectAuthentic(authenticity, isAccepted);
            if (ring !== null) await expectNoOtherKey(section, ring);
          },
          async confirm(manifest, present, database) {
            const consequence = describeDecision(service, manifest, present);
            await confirmPlan(context, { consequence, plan: { consequence } });
            const key = ring;
            if (key === null) return;
            await database.transaction((tx) => placeKey(keyPlaceOf(section), tx, key));
          },
        });
      const { file } = context.args;
      const report = await explainStoreErrors(() =>
        explainFileErrors(() => useBackup(context, file, restore)),
      );
      const { lines, json } = await service.summarizeRestore(context, report);
      const risk = explainRisk(report.manifest.authenticity);
      context.print(...lines, risk ?? false);
      context.json(json);
    },
  });
}

function describeDecision<M extends BackupManifest, S>(
  service: Pick<ManagedService<M, S>, "describeConsequence">,
  manifest: M,
  present: S,
): string {
  const risk = explainRisk(manifest.authenticity);
  const consequence = service.describeConsequence(manifest, present);
  return risk === null ? consequence : `${risk}. ${consequence}`;
}

/** An existing key must be that of the backup, in force or retired: another service may use it. */
async function expectNoOtherKey(section: KeySection, { secret }: InstanceKeyRing): Promise<void> {
  const existing = await readKeyOf(section);
  if (existing === null) return;
  const known = [existing, ...existing.retired];
  if (known.some((key) => timingSafeEqual(key.secret, secret))) return;
  const place = keyPlaceOf(section);
  throw new CommandError(
    typeof place === "string"
      ? `There is another instance key at "${place}", nothing was changed: move it away, or omit --with-key and set new passwords afterwards`
      : `The ${nameKey(place)} is another one, nothing was changed: omit --with-key and set new passwords afterwards, or restore to a new instance`,
  );
}

function expectAuthentic(authenticity: Authenticity, isAccepted: boolean): void {
  const risk = explainRisk(authenticity);
  if (risk === null || isAccepted) return;
  throw new CommandError(
    `${risk}. Nothing was changed: restore with the instance key, or, if you trust every place where the file has been, with --accept-unauthenticated`,
  );
}
