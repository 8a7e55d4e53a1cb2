/** Invitations to instances: each that was just added gets one, or none of these stays. */
import { existsSync } from "node:fs";
import type { InstanceSettings } from "../../../../configuration/configuration-schema.ts";
import type { Instance } from "../../../../configuration/instance.ts";
import { sqlitePath } from "../../../../database/sqlite-path.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { CommandError, type StoreContext } from "../../../command.ts";
import { describeInvitation, type PrintedInvitation } from "../../store/account-links.ts";
import { expectAccountDone } from "../../store/account-service.ts";
import { SYNC_ACCOUNT_MESSAGES } from "../accounts.ts";
import { withSyncAdministration } from "../open-store.ts";
import { configureInstance } from "../select-instance.ts";
import type { InstancesContext } from "./registry.ts";
import { deleteInstance } from "./use-suspended.ts";

export interface AddedInstance {
  readonly name: string;
  readonly settings: InstanceSettings;
  readonly instance: Instance;
}

/**
 * An invitation that fails takes the instance back with its data, of which none may be older than the command.
 * A file may be there without its key.
 */
export function expectNoStore({ name, sync }: Instance): void {
  const file = sqlitePath(sync.store);
  if (file === undefined || !existsSync(file)) return;
  throw new CommandError(
    `There is already a store of an instance "${name}", so nothing was added: put its key back and add it with --adopt, move the store away, or choose another name`,
  );
}

/**
 * The person is offered the name of the instance. `known` were there before: those with an account get no link,
 * and are `taken`.
 */
export async function inviteToInstances(
  context: StoreContext,
  instances: InstancesContext,
  known: readonly AddedInstance[],
  added: readonly AddedInstance[],
): Promise<{ readonly invitations: PrintedInvitation[]; readonly taken: string[] }> {
  const configuration = await context.configuration();
  const invitations: PrintedInvitation[] = [];
  const taken: string[] = [];
  try {
    for (const { name, settings, instance } of [...known, ...added]) {
      const own = configureInstance(configuration, instances.sync, instance);
      const result = await withSyncAdministration(
        { ...context, configuration: async () => own },
        "create",
        ({ invite }) => invite(name),
      );
      if (result.kind === "account-exists") taken.push(name);
      else {
        const { link } = expectAccountDone(result, SYNC_ACCOUNT_MESSAGES);
        invitations.push(describeInvitation(settings.baseUrl, link, name));
      }
    }
    return { invitations, taken };
  } catch (error) {
    // The links were not printed, and the same command must be able to run again.
    for (const { instance } of added) {
      await explainStoreErrors(() => deleteInstance(instances, instance));
    }
    throw error;
  }
}
