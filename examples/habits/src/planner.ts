/** The connection to a planner: where it is kept, and what a person sees of it. */
import { parseServiceOrigin, type Fetch, type OriginError, type SyncClient } from "trellis/client";
import type { EventsConfig, PlannerService } from "./config.ts";
import type { HabitData } from "./habit.ts";
import { createLocalValue } from "./local-value.ts";
import { createObservable, type Observable } from "./observable.ts";
import { locatePlanner } from "./planner-address.ts";
import { importTasks, openPlanner, type PlannerConnection } from "./trellis-planner.ts";

export interface PlannerView {
  /** Null: not connected. */
  readonly name: string | null;
  readonly activity: "idle" | "importing";
  /** What the last attempt ended with. */
  readonly news: PlannerNews | null;
}

export type PlannerNews =
  | ({ readonly kind: "imported" } & ImportedTasks)
  | { readonly kind: "reconnect-needed" }
  | { readonly kind: "failed" }
  | { readonly kind: "not-connected"; readonly reason: string };

export interface Planner {
  readonly view: Observable<PlannerView>;
  /** Null: the person has to type an address. */
  readonly service: PlannerService | null;
  /** Calls back with the address of the service's page, or returns why the address is refused. */
  connect(typed: string, open: (url: string) => void): Promise<OriginError | null>;
  completeConnect(callbackUrl: string): Promise<void>;
  importNow(): Promise<void>;
  disconnect(): void;
}

export interface ImportedTasks {
  readonly count: number;
  /** The planner sends only so many at once, and there may be others. */
  readonly mayHaveMore: boolean;
}

export interface PlannerOptions {
  readonly config: EventsConfig;
  readonly storageName: string;
  readonly sync: SyncClient;
  readonly data: HabitData;
  readonly fetch: Fetch;
  readonly onImport: (tasks: ImportedTasks) => void;
}

export function createPlanner(options: PlannerOptions): Planner {
  const { config, sync, data } = options;
  const saved = createLocalValue<PlannerConnection>(`${options.storageName}/planner`);
  const nameOfSaved = () => {
    const connection = saved.read();
    return connection?.accessToken === undefined ? null : connection.name;
  };
  const view = createObservable<PlannerView>({ name: nameOfSaved(), activity: "idle", news: null });
  const show = (changes: Partial<PlannerView>) =>
    view.set({ ...view.get(), name: nameOfSaved(), ...changes });
  // Another tab, or the window in which the person logged in, has changed it.
  addEventListener("storage", ({ key }) => {
    if (key !== `${options.storageName}/planner`) return;
    const wasConnected = view.get().name !== null;
    show({ news: null });
    if (!wasConnected && nameOfSaved() !== null) void importNow();
  });

  function open(origin: string) {
    const service = config.service?.origin === origin ? config.service : { origin };
    const address = locatePlanner(service, options.fetch);
    return { address, client: openPlanner(origin, config.clientId, address.fetch) };
  }

  async function importNow(): Promise<void> {
    const connection = saved.read();
    if (connection?.accessToken === undefined || view.get().activity === "importing") return;
    show({ activity: "importing" });
    const { client } = open(connection.origin);
    const { result, count } = await importTasks(sync, data, client, connection);
    const { kind, state } = result;
    // The person may have disconnected meanwhile.
    if (saved.read()?.accessToken === connection.accessToken) saved.write({ ...connection, state });
    const tasks = { count, mayHaveMore: kind === "synced" && result.mayHaveMore };
    show({ activity: "idle", news: kind === "synced" ? { kind: "imported", ...tasks } : { kind } });
    if (count > 0 || tasks.mayHaveMore) options.onImport(tasks);
  }

  return {
    view,
    service: config.service,
    async connect(typed, openPage) {
      const parsed = parseServiceOrigin(config.service?.origin ?? typed.trim());
      if (parsed.kind === "refused") return parsed.reason;
      const { origin } = parsed;
      const { address, client } = open(origin);
      const begun = await client.beginLogin();
      if (begun.kind === "unsupported") throw new Error("This page has no WebCrypto");
      const name = config.service?.name ?? new URL(origin).hostname;
      saved.write({ origin, name, pending: begun.pending });
      openPage(address.toBrowser(begun.authorizeUrl));
      return null;
    },
    async completeConnect(callbackUrl) {
      const connection = saved.read();
      if (connection?.pending === undefined) return;
      const { origin, name, pending } = connection;
      const { address, client } = open(origin);
      const login = await client.completeLogin(address.fromBrowser(callbackUrl), pending);
      if (login.kind === "connected") {
        saved.write({ origin, name, accessToken: login.accessToken, state: null });
        show({ news: null });
        return importNow();
      }
      saved.remove();
      const { error } = login;
      const reason = error.kind === "login-refused" ? error.code : error.kind;
      show({ news: { kind: "not-connected", reason } });
    },
    importNow,
    disconnect() {
      saved.remove();
      show({ news: null });
    },
  };
}
