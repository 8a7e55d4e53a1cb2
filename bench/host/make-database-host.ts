/** Many instances in one database, as commands add them; some have a device, and all have rows. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import postgres from "postgres";
import { checkConfiguration } from "../../src/configuration/configuration.ts";
import { resolveInstance } from "../../src/configuration/instance.ts";
import { INSTANCE_TABLES, prepareInstance } from "../../src/hosting/instance-rows.ts";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { createAccessTokens } from "../../src/sync/devices/access-tokens.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { productCommand } from "../processes.ts";
import { addDevices } from "../sync/device-sessions.ts";
import type { HostDevice } from "./load.ts";

export interface DatabaseHost {
  readonly dataDir: string;
  readonly config: string;
  readonly store: string;
}

/** As many as one command adds. */
const BATCH = 500;

const hostOf = (name: string) => `${name}.example.com`;

/** Returns their names. Each command is one change, which the servers notice. */
export async function addByCommands(
  { config }: Pick<DatabaseHost, "config">,
  prefix: string,
  total: number,
): Promise<string[]> {
  const names: string[] = [];
  for (let batch = 0; names.length < total; batch++) {
    const count = Math.min(BATCH, total - names.length);
    const words = ["sync", "instance", "add", `${prefix}-${batch}`, "--count", String(count)];
    const place = ["--base-url", `https://${hostOf("{name}")}`, "--config", config, "--json"];
    const [program = "", ...rest] = productCommand(...words, ...place);
    const { stdout } = await promisify(execFile)(program, rest, { maxBuffer: 64 * 1024 * 1024 });
    const { instances } = JSON.parse(stdout) as { instances: { name: string }[] };
    names.push(...instances.map(({ name }) => name));
  }
  return names;
}

/** Gives the instance a signed-in device. */
export async function addDevice(
  { dataDir, store }: DatabaseHost,
  name: string,
): Promise<HostDevice> {
  const { sync } = checkConfiguration({ dataDir, sync: { store } }, "of the benchmark");
  if (sync === undefined) throw new Error("The benchmark has no settings");
  const instance = resolveInstance(name, { baseUrl: `https://${hostOf(name)}` }, sync, dataDir);
  await prepareInstance(instance, store);
  const opened = await openServiceStore(SYNC_STORE, instance.sync, instance.dataDir);
  const token = createAccessTokens(opened.instanceKey).create(randomBytes);
  await addDevices(opened, [{ deviceId: "bench", token }]);
  await opened.close();
  return { host: hostOf(name), token };
}

/**
 * Gives each instance that has no log the rows of the named one, as a role that bypasses row security. It is not to
 * be opened: its key is another one.
 */
export async function copyRows(superuser: string, from: string): Promise<void> {
  const sql = postgres(superuser, { max: 1, onnotice: () => {} });
  const template = `(select instance from trellis_instances where name = '${from}')`;
  await sql.unsafe(`create temporary table bare as select instance from trellis_instances
    where instance not in (select instance from sync_log)`);
  for (const table of INSTANCE_TABLES.toReversed()) {
    const columns = await sql<{ name: string }[]>`select column_name as name
      from information_schema.columns where table_name = ${table} and column_name <> 'instance'`;
    const names = columns.map(({ name }) => `"${name}"`);
    await sql.unsafe(`insert into ${table} (instance, ${names.join(", ")})
      select b.instance, ${names.map((name) => `t.${name}`).join(", ")}
      from bare b join ${table} t on t.instance = ${template}`);
  }
  await sql.unsafe("vacuum analyze");
  await sql.end();
}
