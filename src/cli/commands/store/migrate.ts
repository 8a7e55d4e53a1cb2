import type { Configuration } from "../../../configuration/configuration-schema.ts";
import { InstanceError } from "../../../hosting/instance-error.ts";
import { isNewInstance, resolveInstance, type Instance } from "../../../configuration/instance.ts";
import { hasFormerSchema, takeOverSchema } from "../../../hosting/take-over-schema.ts";
import { listKeyFiles, takeOverKey } from "../../../hosting/take-over-keys.ts";
import { leaseHost } from "../../../hosting/lease-host.ts";
import { loadInstances } from "../../../configuration/load-instances.ts";
import { isMissingFile } from "../../../database/open-store.ts";
import { StoreInUseError } from "../../../database/lease-store.ts";
import { sqlitePath } from "../../../database/sqlite-path.ts";
import { migrateStore } from "../../../database/migrate-store.ts";
import { EVENTS_STORE } from "../../../events/sql/open-store.ts";
import type { StoreDescription } from "../../../backup/store-description.ts";
import { SYNC_STORE } from "../../../sync/sql/open-store.ts";
import { CommandError, defineCommand, DryRunEnd, type CommandContext } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS, type PlanContext } from "../../prompts.ts";

export const command = defineCommand({
  description:
    "After an upgrade of Trellis, changes the tables of the configured stores to this version, those of every instance too. All servers must be stopped: `trellis serve` and this command are the only ones that change tables, and each needs the store for itself. A SQLite file is copied before; the start of a server does the same. A PostgreSQL database is migrated only here: back it up first, for example with pg_dump.",
  options: PLAN_OPTIONS,
  examples: ["trellis store migrate", "trellis store migrate --yes"],
  async run(context) {
    const configuration = await context.configuration();
    const stores = await explainStoreErrors(() => listMigratedStores(configuration));
    if (stores.length === 0) {
      throw new CommandError(
        `The configuration "${configuration.file}" has no store of sync or events yet: there is nothing to migrate`,
      );
    }
    const schemas = await explainStoreErrors(() => listFormerSchemas(configuration));
    const isHost = schemas.length > 0 || stores.some(({ instance }) => instance !== null);
    const lease = isHost ? await explainStoreErrors(() => leaseHost(configuration.dataDir)) : null;
    try {
      await migrateStores(context, stores);
      await takeOverSchemas(context, configuration, schemas);
      await takeOverKeys(context, configuration);
    } finally {
      await lease?.release();
    }
  },
});

async function migrateStores(
  context: PlanContext & Pick<CommandContext, "warn">,
  stores: readonly MigratedStore[],
): Promise<void> {
  const applied: Record<string, string[]> = {};
  const instances: Record<string, string[]> = {};
  // The operator confirms once for all stores of one service, which may be thousands.
  const confirmed = new Set<string>();
  const planned: PlannedMigration[] = [];
  for (const target of stores) {
    const { service, store, instance } = target;
    const migrations = await explainTarget(target, () =>
      migrateStore(service, store, {
        onCopy: (file) =>
          context.warn(`A verified copy of ${describe(target)} as it was is at ${file}`),
        async confirm(pending, { dialect }) {
          if (confirmed.has(service.name)) return;
          const backup = dialect === "postgres" ? "; it must be backed up" : "";
          const count = formatCount(pending.length, "migration");
          const others = instance === null ? "" : ", and to those of the other instances";
          const consequence = `This applies ${count} to ${describe(target)}${others}${backup}`;
          if (context.options["dry-run"] === true) {
            planned.push({ consequence, service: service.name, instance, pending });
            throw new DryRunEnd();
          }
          await confirmPlan(context, { consequence, plan: { service: service.name, pending } });
          confirmed.add(service.name);
        },
      }).catch(skipDryRun),
    );
    if (migrations === null) continue;
    if (instance === null) applied[service.name] = migrations;
    else instances[instance] = migrations;
    // Each store is reported at once, so that the finished ones are known when a later one fails.
    context.print(
      migrations.length === 0
        ? `${capitalize(describe(target))} is up to date`
        : `Applied to ${describe(target)}: ${migrations.join(", ")}`,
    );
  }
  if (planned.length > 0) {
    const [consequence = "", ...details] = planned.map((plan) => plan.consequence);
    await confirmPlan(context, { consequence, details, plan: { stores: planned } });
  }
  context.json({ applied, ...(Object.keys(instances).length > 0 && { instances }) });
}

/** The instances that builds before 0.3.0 served from schemas of their own. */
async function listFormerSchemas(configuration: Configuration): Promise<Instance[]> {
  const found: Instance[] = [];
  for (const instance of await listInstances(configuration)) {
    const { store = "" } = configuration.sync ?? {};
    if (await hasFormerSchema(instance, store)) found.push(instance);
  }
  return found;
}

async function listInstances(configuration: Configuration): Promise<Instance[]> {
  const { sync, dataDir } = configuration;
  const loaded = sync === undefined ? null : await loadInstances(sync, configuration);
  if (sync === undefined || loaded === null) return [];
  return Object.entries(loaded.instances).map(([name, settings]) =>
    resolveInstance(name, settings, sync, dataDir),
  );
}

async function takeOverSchemas(
  context: PlanContext & Pick<CommandContext, "warn">,
  { sync }: Configuration,
  schemas: readonly Instance[],
): Promise<void> {
  if (sync === undefined || schemas.length === 0) return;
  const names = schemas.map(({ name }) => name);
  await confirmPlan(context, {
    consequence: `This moves ${formatCount(names.length, "instance")} from schemas to the tables that all instances have in common, and drops the schemas; the database must be backed up`,
    plan: { service: SYNC_STORE.name, schemas: names },
  });
  for (const instance of schemas) {
    const target = { service: SYNC_STORE, store: sync.store, instance: instance.name };
    await explainTarget(target, () => takeOverSchema(instance, sync.store));
    context.print(`Moved ${describe(target)} from its schema`);
  }
}

async function takeOverKeys(context: PlanContext, configuration: Configuration): Promise<void> {
  const { sync } = configuration;
  if (sync === undefined) return;
  const instances = listKeyFiles(await listInstances(configuration), sync.store);
  if (instances.length === 0) return;
  const names = instances.map(({ name }) => name);
  await confirmPlan(context, {
    consequence: `This seals the ${names.length === 1 ? "key of an instance" : `keys of ${names.length} instances`} in the database under the host's key "${sync.hostKeyFile}", and renames the files`,
    plan: { service: SYNC_STORE.name, keys: names },
  });
  for (const instance of instances) {
    const target = { service: SYNC_STORE, store: sync.store, instance: instance.name };
    await explainTarget(target, () => takeOverKey(instance, sync.store));
  }
  context.print(
    `Sealed ${formatCount(names.length, "key")} in the database: copy "${sync.hostKeyFile}" to where you keep it, and to every other machine of this host`,
  );
}

interface PlannedMigration {
  readonly consequence: string;
  readonly service: string;
  readonly instance: string | null;
  readonly pending: readonly string[];
}

/** A dry run goes on to the next store. */
function skipDryRun(error: unknown): null {
  if (error instanceof DryRunEnd) return null;
  throw error;
}

interface MigratedStore {
  readonly service: StoreDescription;
  readonly store: string;
  /** The name of the instance; null for the store of a service without instances. */
  readonly instance: string | null;
}

/**
 * The stores of services or of their instances. A store that is not there yet is made as this
 * version has it, so it is left out.
 */
async function listMigratedStores(configuration: Configuration): Promise<MigratedStore[]> {
  const { sync, events, dataDir } = configuration;
  const stores: MigratedStore[] = [];
  const loaded = sync === undefined ? null : await loadInstances(sync, configuration);
  // The instances of a database have its tables in common.
  const isOne = loaded === null || (sync !== undefined && sqlitePath(sync.store) === undefined);
  if (sync !== undefined && isOne) {
    stores.push({ service: SYNC_STORE, store: sync.store, instance: null });
  }
  if (sync !== undefined && loaded !== null && !isOne) {
    for (const [name, settings] of Object.entries(loaded.instances)) {
      const instance = resolveInstance(name, settings, sync, dataDir);
      if (isNewInstance(instance, true)) continue;
      stores.push({ service: SYNC_STORE, store: instance.sync.store, instance: name });
    }
  }
  if (events !== undefined) {
    stores.push({ service: EVENTS_STORE, store: events.store, instance: null });
  }
  return stores.filter(({ store }) => !isMissingFile(store));
}

function describe({ service, instance }: MigratedStore): string {
  const store = `the ${service.name} store`;
  return instance === null ? store : `${store} of the instance "${instance}"`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function explainTarget<T>(target: MigratedStore, work: () => Promise<T>): Promise<T> {
  const { instance } = target;
  return explainStoreErrors(async () => {
    try {
      return await work();
    } catch (error) {
      // To suspend an instance would not help: all of them are migrated.
      if (error instanceof StoreInUseError) {
        throw new CommandError(
          `${capitalize(describe(target))} is in use: stop \`trellis serve\` and wait for other commands, then try again`,
        );
      }
      const isOurs = instance === null || error instanceof CommandError;
      throw isOurs ? error : new InstanceError(instance, error);
    }
  });
}
