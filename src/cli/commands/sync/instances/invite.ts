/** Invitations to instances that were just added: each gets one, or none of the instances stays. */
import type { InstanceSettings } from "../../../../configuration/configuration-schema.ts";
import type { Instance } from "../../../../configuration/instance.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import type { StoreContext } from "../../../command.ts";
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
