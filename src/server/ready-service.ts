/** A service that is ready for requests, and its store as its operator sees it. */
import type { ServiceName } from "../configuration/configuration.ts";
import type { Dialect } from "../database/database.ts";
import type { HttpService } from "../http/create-http-service.ts";
import type { IdentityRecords } from "../identity/identity-records.ts";

export interface ReadyService {
  readonly name: ServiceName;
  readonly store?: ServiceStore;
  readonly origins: readonly ServedOrigin[];
  /** Called when the service is served: what it does by itself begins only then. */
  begin?(): void;
  /** Ends responses that have no end of their own, such as streams. */
  endStreams?(): void;
  close(): Promise<void>;
}

/** What is served at an address of its own. */
export interface ServedOrigin {
  readonly name: string;
  readonly http: HttpService;
  readonly at: { readonly host: string; readonly port: number };
}

/** A sync server for the maker of an app: it also allows the pages and redirect URIs of every app on this machine. */
export interface Development {
  addPages(http: HttpService): HttpService;
}

export interface ServiceStore {
  readonly kind: Dialect;
  /** Whether the store had an account when the service started; absent where each instance has its own. */
  readonly hasAccount?: boolean;
  /** Rejects while the store cannot be written. */
  checkReady(): Promise<void>;
  countWorkerDeath(): Promise<void>;
}

/** What both stores with accounts have. */
interface AccountStore {
  readonly database: { readonly dialect: Dialect };
  transaction<T>(work: (records: { readonly identity: IdentityRecords }) => Promise<T>): Promise<T>;
}

/** A store that cannot be read ends the start, so `close` is called before the rejection. */
export async function describeStore(
  store: AccountStore,
  close: () => Promise<void>,
): Promise<Omit<ServiceStore, "checkReady">> {
  return {
    kind: store.database.dialect,
    hasAccount: await hasAccount(store).catch(async (error: unknown) => {
      await close();
      throw error;
    }),
    countWorkerDeath: () =>
      store.transaction(({ identity }) => identity.countSecurityEvent("worker-death", Date.now())),
  };
}

function hasAccount(store: AccountStore): Promise<boolean> {
  return store.transaction(async ({ identity }) => (await identity.listAccounts()).length > 0);
}
