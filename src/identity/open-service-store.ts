import { openStore, type StoreRequest } from "../database/open-store.ts";
import type { OpenedStore, StoreKind } from "../database/store-kind.ts";
import { instanceKeyOf, type Keyed } from "./bind-instance-key.ts";
import type { Reseal } from "./reseal.ts";

/** Where the configuration of a service has its store and its key. */
interface StoreSection {
  readonly store: string;
  readonly instanceKeyFile: string;
}

/** Opens the store of a service with its instance key. */
export function openServiceStore<S extends OpenedStore, Settings>(
  kind: StoreKind<S, Settings> & { readonly reseal?: Reseal },
  { store, instanceKeyFile }: StoreSection,
  dataDir: string,
  options: Omit<StoreRequest<S, Settings, object>, "kind" | "store" | "dataDir" | "key"> = {},
): Promise<Keyed<S>> {
  const key = instanceKeyOf(kind, instanceKeyFile);
  return openStore({ ...options, kind, store, dataDir, key });
}
