import { resolve } from "node:path";
import { sqlitePath } from "../../../database/sqlite-path.ts";
import { COPIED_EVENTS, COPIED_SYNC } from "../../../server/copied-services.ts";
import { copyStore } from "../../../server/copy-store.ts";
import type { StoreOwner } from "../../../server/leased-store.ts";
import { defineCommand, option, UsageError } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount } from "../../format.ts";

const SERVICES = [COPIED_SYNC, COPIED_EVENTS];

export const storeCopyCommand = defineCommand({
  description:
    "Copies everything, between SQLite and PostgreSQL in both directions: accounts, sessions and tokens, the log with its generation and offsets, events and subscriptions. Devices stay signed in and go on where they are. Both stores must not be in use, and the target must be empty. One transaction writes it, then rows and digests of every table are compared. The source is not changed; start the servers with the new address afterwards, never with both. PGPASSWORD in the environment keeps a password out of the list of processes.",
  options: {
    from: option("ADDRESS", "The store to copy: sqlite:PATH or a postgres:// address", {
      required: true,
    }),
    to: option("ADDRESS", "The new store: sqlite:PATH or a postgres:// address", {
      required: true,
    }),
    service: option("NAME", "Only sync or events (default: all that the store has)"),
  },
  examples: [
    "trellis store copy --from sqlite:./data/sync.db --to postgres://trellis@db.example.com/trellis",
  ],
  async run(context) {
    const [from, to] = [toAddress(context.options.from), toAddress(context.options.to)];
    if (from === to) throw new UsageError("--from and --to name the same store");
    const chosen = chooseServices(context.options.service);
    const configuration = await context.configuration();
    const services = chosen.map((service) => ({
      ...service,
      instanceKeyFile: configuration[service.name]?.instanceKeyFile ?? null,
    }));
    const { dataDir } = configuration;
    const report = await explainStoreErrors(() => copyStore({ from, to, services, dataDir }));
    const names = report.services.map(({ name }) => name);
    context.print(
      `Copied and verified ${names.join(" and ")}:`,
      ...Object.entries(report.tables).map(
        ([name, { rows, digest }]) =>
          `  ${name.padEnd(26)} ${formatCount(rows, "row")}, ${digest.slice(0, 16)}`,
      ),
      `Set ${names.map((name) => `\`${name}.store\``).join(" and ")} to the new address and start the servers; keep the old store, unused, until you are content`,
    );
    context.json({ services: names, tables: report.tables });
  },
});

/** Paths are relative to the working folder, like those of other commands. */
function toAddress(text: string): string {
  const path = sqlitePath(text);
  return path === undefined ? text : `sqlite:${resolve(path)}`;
}

function chooseServices(name: string | undefined) {
  if (name === undefined) return SERVICES;
  const found = SERVICES.filter((service) => service.name === (name as StoreOwner));
  if (found.length === 0) throw new UsageError(`--service must be sync or events, not "${name}"`);
  return found;
}
