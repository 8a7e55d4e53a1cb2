/** Runs a command on an instance that no server uses meanwhile. */
import { setTimeout as wait } from "node:timers/promises";
import type { Instance } from "../../../../server/instances/instance.ts";
import { waitUntilUnused } from "../../../../server/instances/move-instance.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { changeInstance, type InstancesContext } from "./registry.ts";

/** Servers look at the registry twice a second: none opens the instance after this time. */
const NOTICED_MS = 1500;
/** Its requests finish within half a minute. */
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
    await explainStoreErrors(() => waitUntilUnused(instance, UNUSED_WITHIN_MS));
    return await work();
  } catch (error) {
    await changeInstance(instances, name, ({ suspended: _ours, ...settings }) =>
      before === undefined ? settings : { ...settings, suspended: before },
    );
    throw error;
  }
}
