/** Opens the configured store of a service for a command, and warns of what was found in it. */
import type { Configuration } from "../../../configuration/configuration-schema.ts";
import type { OpenOptions } from "../../../database/open-store.ts";
import type { OpenedStore, StoreAccess, StoreOwner } from "../../../database/store-kind.ts";
import { explainSessionsRevoked } from "../../../operate/notices.ts";
import type { StoreContext } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { readSection } from "../../read-section.ts";

type Section<N extends StoreOwner> = NonNullable<Configuration[N]>;

/** What a command does with the store; a running server may use it at the same time. */
export type StoreWork<N extends StoreOwner, S, T> = (
  store: S,
  configuration: Configuration,
  section: Section<N>,
) => Promise<T>;

export async function useStore<N extends StoreOwner, S extends OpenedStore, T>(
  context: StoreContext,
  name: N,
  access: StoreAccess,
  open: (section: Section<N>, options: OpenOptions & { readonly dataDir: string }) => Promise<S>,
  work: StoreWork<N, S, T>,
): Promise<T> {
  const { configuration, section } = await readSection(context, name);
  return explainStoreErrors(async () => {
    const { dataDir } = configuration;
    const store = await open(section, { dataDir, access, upgrades: false });
    try {
      const isReader = access === "read";
      if (store.wasRolledBack) {
        context.warn(
          `The store was rolled back, it is behind its high-water mark: a new generation ${isReader ? "begins with the next start" : "began"}, and every device syncs from the start`,
        );
      }
      if (store.sessionsWereRevoked) {
        const happens = isReader ? "is revoked with the next start" : "was revoked";
        context.warn(explainSessionsRevoked(name, happens));
      }
      return await work(store, configuration, section);
    } finally {
      await store.close();
    }
  });
}
