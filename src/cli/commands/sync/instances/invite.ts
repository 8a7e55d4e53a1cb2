/** Invitations to instances that were just added: each gets one, or none of the instances stays. */
import { existsSync } from "node:fs";
import type { InstanceSettings } from "../../../../configuration/configuration-schema.ts";
import type { Instance } from "../../../../configuration/instance.ts";
import { sqlitePath } from "../../../../database/sqlite-path.ts";
import { hasSchema } from "../../../../hosting/move-instance.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { CommandError, type StoreContext } from "../../../command.ts";
import { describeInvitation, type PrintedInvitation } from "../../store/account-links.ts";
import { inviteToAccount } from "../accounts.ts";
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
 * `store` is the store of the server.
 */
export async function expectNoStore({ name, sync }: Instance, store: string): Promise<void> {
  const file = sqlitePath(sync.store);
  const isThere =
    file === undefined ? await explainStoreErrors(() => hasSchema(store, name)) : existsSync(file);
  if (!isThere) return;
  throw new CommandError(
    `There is already a store of an instance "${name}", so nothing was added: put its key back and add it with --adopt, move the store away, or choose another name`,
  );
}

/** The person is offered the name of the instance. */
export async function inviteToInstances(
  context: StoreContext,
  instances: InstancesContext,
  added: readonly AddedInstance[],
): Promise<PrintedInvitation[]> {
  const configuration = await context.configuration();
  try {
    const invitations: PrintedInvitation[] = [];
    for (const { name, settings, instance } of added) {
      const own = configureInstance(configuration, instances.sync, instance);
      const link = await withSyncAdministration(
        { ...context, configuration: async () => own },
        "create",
        (administration) => inviteToAccount(administration, name),
      );
      invitations.push(describeInvitation(settings.baseUrl, link, name));
    }
    return invitations;
  } catch (error) {
    // The links were not printed, and the same command must be able to run again.
    for (const { instance } of added) {
      await explainStoreErrors(() => deleteInstance(instances, instance));
    }
    throw error;
  }
}
