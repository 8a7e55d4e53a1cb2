/** Runs a command on an instance that no server uses meanwhile. */
import { setTimeout as wait } from "node:timers/promises";
import type { Instance } from "../../../../configuration/instance.ts";
import { leaseUnused, removeInstanceData } from "../../../../hosting/move-instance.ts";
import { StoreInUseError } from "../../../../database/lease-store.ts";
import { CommandError } from "../../../command.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { changeInstance, type InstancesContext } from "./registry.ts";

/** Servers look at the registry twice a second, and begin to close the instance. */
const NOTICED_MS = 1500;
/** The requests of a suspended instance finish within half a minute. */
const UNUSED_WITHIN_MS = 40_000;

/** When `work` fails, the instance is served again as before. */
export async function useSuspended<T>(
  instances: InstancesContext,
  instance: Instance,
  work: () => Promise<T>,
): Promise<T> {
  const { name } = instance;
  let before: boolean | undefined;
  await changeInstance(instances, name, (settings) => {
    before = settings.suspended;
    return { ...settings, suspended: true };
  });
  try {
    await wait(NOTICED_MS);
    const lease = await explainStoreErrors(() => leaseSuspended(instance));
    try {
      return await work();
    } finally {
      await lease.release();
    }
  } catch (error) {
    await changeInstance(instances, name, ({ suspended: _ours, ...settings }) =>
      before === undefined ? settings : { ...settings, suspended: before },
    );
    throw error;
  }
}

/** Deletes the instance with its store, its key and its folder. */
export async function deleteInstance(
  instances: InstancesContext,
  instance: Instance,
): Promise<void> {
  const remove = () => removeInstanceData(instance, instances.sync.store);
  await useSuspended(instances, instance, remove);
  await changeInstance(instances, instance.name, () => undefined);
}

async function leaseSuspended(instance: Instance) {
  try {
    return await leaseUnused(instance, UNUSED_WITHIN_MS);
  } catch (error) {
    if (!(error instanceof StoreInUseError)) throw error;
    throw new CommandError(
      `A server or a command still has the instance "${instance.name}" open, so nothing was changed: try again when its last requests, or its backup, have ended, or stop the server`,
    );
  }
}
