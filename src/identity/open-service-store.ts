import { openStore, type StoreRequest } from "../database/open-store.ts";
import type { OpenedStore, StoreKind } from "../database/store-kind.ts";
import { instanceKeyOf, type Keyed } from "./bind-instance-key.ts";
import { keyPlaceOf, type KeySection } from "./key-place.ts";
import type { Reseal } from "./reseal.ts";

/** Opens the store of a service with its instance key. */
export function openServiceStore<S extends OpenedStore, Settings>(
  kind: StoreKind<S, Settings> & { readonly reseal?: Reseal },
  section: KeySection,
  dataDir: string,
  options: Omit<StoreRequest<S, Settings, object>, "kind" | "store" | "dataDir" | "key"> = {},
): Promise<Keyed<S>> {
  const key = instanceKeyOf(kind, keyPlaceOf(section));
  return openStore({ ...options, kind, store: section.store, dataDir, key });
}
