import { dirname, join, resolve } from "node:path";
import { isPostgresAddress } from "../../../database/postgres-address.ts";
import { sqlitePath } from "../../../database/sqlite-path.ts";
import type { Configuration } from "../../../configuration/configuration-schema.ts";
import { copyStore } from "../../../backup/copy-store.ts";
import { addInstance, inInstance, splitInstance } from "../../../database/named-instance.ts";
import { keyPlaceOf, type KeyPlace } from "../../../identity/key-place.ts";
import { EVENTS_STORE } from "../../../events/sql/open-store.ts";
import type { StoreDescription } from "../../../backup/store-description.ts";
import { SYNC_STORE } from "../../../sync/sql/open-store.ts";
import { resolveInstance } from "../../../configuration/instance.ts";
import { enterInRegistry } from "../../../configuration/instance-registry.ts";
import { loadInstances } from "../../../configuration/load-instances.ts";
import { copyHost, type HostCopy } from "../../../hosting/copy-host.ts";
import {
  CommandError,
  defineCommand,
  option,
  UsageError,
  type CommandContext,
} from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount } from "../../format.ts";
import { INSTANCE_OPTION, selectInstance } from "../sync/select-instance.ts";

const SERVICES: readonly StoreDescription[] = [SYNC_STORE, EVENTS_STORE];

export const command = defineCommand({
  description:
    "Copies everything, between SQLite and PostgreSQL in both directions: accounts, sessions and tokens, the log with its generation and offsets, events and subscriptions. Devices stay signed in and go on where they are. Neither store may be in use, and the target must be empty. One transaction writes it, then rows and digests of every table are compared. The source is not changed; start the servers with the new address afterwards, never with both. Of a server with several instances all are copied, with their list and their keys, and the same command goes on after an interruption; with --instance one of them, whose rows a PostgreSQL database gets beside those of the others. PGPASSWORD in the environment keeps a password out of the list of processes.",
  options: {
    from: option(
      "ADDRESS",
      "The store to copy: sqlite:PATH or a postgres:// address (default with several instances: `sync.store`)",
    ),
    to: option("ADDRESS", "The new store: sqlite:PATH or a postgres:// address", {
      required: true,
    }),
    service: option("NAME", "Only sync or events (default: all that the store has)"),
    ...INSTANCE_OPTION,
  },
  examples: [
    "trellis store copy --from sqlite:./data/sync.db --to postgres://trellis@db.example.com/trellis",
    "trellis store copy --instance ada --to postgres://trellis@db.example.com/trellis",
  ],
  async run(context) {
    const { instance } = context.options;
    const chosen = chooseServices(context.options.service, instance);
    const loaded = await context.configuration();
    if (instance === undefined && chosen.includes(SYNC_STORE)) {
      const host = await findHost(context.options, loaded);
      if (host !== null) return copyAll(context, host);
    }
    // A server with several sync instances has a key for each.
    const configuration = chosen.includes(SYNC_STORE)
      ? await selectInstance(loaded, instance)
      : loaded;
    const source = context.options.from ?? defaultSource(configuration, instance);
    const from = toAddress(source, instance);
    const to = toAddress(context.options.to, instance);
    if (from === to) throw new UsageError("--from and --to name the same store");
    const services = chosen.map((service) => {
      const section = configuration[service.name];
      if (section === undefined) return { ...service, key: null };
      if (instance === undefined) return { ...service, key: keyPlaceOf(section) };
      const { hostKeyFile } = loaded.sync ?? {};
      return {
        ...service,
        key: keyBeside(from, hostKeyFile),
        targetKey: keyBeside(to, hostKeyFile),
      };
    });
    const { dataDir } = configuration;
    const prepareTarget = async () => {
      const isGiven = to === context.options.to;
      if (instance === undefined || isGiven || sqlitePath(to) !== undefined) return;
      await addInstance(context.options.to, instance);
    };
    const report = await explainStoreErrors(() =>
      copyStore({ from, to, services, dataDir, prepareTarget }),
    );
    if (instance !== undefined) await explainStoreErrors(() => enterCopied(instance, to, loaded));
    const names = report.services.map(({ name }) => name);
    context.print(
      `Copied and verified ${names.join(" and ")}:`,
      ...Object.entries(report.tables).map(
        ([name, { rows, digest }]) =>
          `  ${name.padEnd(26)} ${formatCount(rows, "row")}, ${digest.slice(0, 16)}`,
      ),
      instance === undefined
        ? `Set ${names.map((name) => `\`${name}.store\``).join(" and ")} to the new address and start the servers; keep the old store, unused, until you are sure`
        : "Copy the other instances too, then set `sync.store` to the new address and start the server; keep the old store, unused, until you are sure",
    );
    context.json({ services: names, tables: report.tables });
  },
});

/** The host that is copied with all its instances; null when the server has one, which has no name. */
async function findHost(
  { from: givenFrom, to: givenTo }: { readonly from: string | undefined; readonly to: string },
  configuration: Configuration,
): Promise<Omit<HostCopy, "onCopied"> | null> {
  const { sync, dataDir } = configuration;
  if (sync === undefined) return null;
  const from = givenFrom === undefined ? sync.store : toAddress(givenFrom, undefined);
  const to = toAddress(givenTo, undefined);
  const loaded = await loadInstances({ ...sync, store: from }, configuration);
  if (loaded === null) return null;
  const files = filesOf(dataDir);
  for (const store of [from, to]) {
    if (sqlitePath(store) === undefined || [files, sync.store].includes(store)) continue;
    throw new CommandError(
      `This server has several instances: choose one with --instance NAME, or copy all, with their list and their keys: then --from and --to are \`sync.store\` as it is and as it will be, for files "${files}"`,
    );
  }
  if (from === to || (sqlitePath(from) !== undefined && sqlitePath(to) !== undefined)) {
    throw new UsageError("--from and --to name the same store");
  }
  return { sync, dataDir, from, to, loaded };
}

async function copyAll(
  context: Pick<CommandContext, "print" | "json">,
  host: Omit<HostCopy, "onCopied">,
): Promise<void> {
  const instances: Record<string, number> = {};
  await explainStoreErrors(() =>
    copyHost({
      ...host,
      onCopied(name, tables) {
        const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
        instances[name] = rows;
        context.print(`Copied and verified ${name}: ${formatCount(rows, "row")}`);
      },
    }),
  );
  const isNowInDatabase = sqlitePath(host.to) === undefined;
  context.print(
    `Copied ${formatCount(Object.keys(host.loaded.instances).length, "instance")} with ${host.loaded.source === "registry" ? "their list and " : ""}their keys`,
    `Set \`sync.store\` to the new address and start the servers${isNowInDatabase ? `; each machine needs "${host.sync.hostKeyFile}"` : ""}; keep the old store, unused, until you are sure`,
  );
  context.json({ services: [SYNC_STORE.name], instances });
}

/** Adds the instance to the list of the host that has the copy now, unless the configuration has the list. */
async function enterCopied(name: string, to: string, configuration: Configuration): Promise<void> {
  const { sync, dataDir } = configuration;
  const loaded = sync === undefined ? null : await loadInstances(sync, configuration);
  const settings = loaded?.instances[name];
  if (sync === undefined || settings === undefined || loaded?.source !== "registry") return;
  const isFile = sqlitePath(to) !== undefined;
  const store = isFile ? filesOf(dataDir) : splitInstance(to).address;
  // A file elsewhere is in no host yet.
  if (resolveInstance(name, settings, { ...sync, store }, dataDir).sync.store !== to) return;
  await enterInRegistry(dataDir, { ...sync, store }, { [name]: settings });
}

function filesOf(dataDir: string): string {
  return `sqlite:${join(dataDir, "sync.db")}`;
}

function defaultSource({ sync }: Configuration, instance: string | undefined): string {
  if (instance !== undefined && sync !== undefined) return sync.store;
  throw new UsageError("Name the store to copy with --from");
}

/**
 * Paths are relative to the working folder, like those of other commands. A database without the name of an
 * instance is that of the server, which has the others too.
 */
function toAddress(text: string, instance: string | undefined): string {
  const path = sqlitePath(text);
  if (path !== undefined) return `sqlite:${resolve(path)}`;
  if (instance === undefined || !isPostgresAddress(text)) return text;
  return splitInstance(text).name === null ? inInstance(text, instance) : text;
}

/** The key of an instance, which is in the folder of its file, or in its database. */
function keyBeside(store: string, hostKeyFile: string | undefined): KeyPlace {
  const instanceKeyFile = join(dirname(sqlitePath(store) ?? ""), "instance.key");
  return keyPlaceOf({ store, instanceKeyFile, ...(hostKeyFile !== undefined && { hostKeyFile }) });
}

function chooseServices(name: string | undefined, instance: string | undefined) {
  if (instance !== undefined && name === EVENTS_STORE.name) {
    throw new UsageError("--instance is one of sync: omit it, or --service events");
  }
  if (instance !== undefined) return [SYNC_STORE];
  if (name === undefined) return SERVICES;
  const found = SERVICES.filter((service) => service.name === name);
  if (found.length === 0) throw new UsageError(`--service must be sync or events, not "${name}"`);
  return found;
}
