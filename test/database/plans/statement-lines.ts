/** The lines of the source that send statements to a store. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const SENDS = /\.(?:query|queryRows|writeAtEnd|stream)(?:<|\()/;

/** Files that send statements of others, or to something else than a store. */
const OTHERS: readonly RegExp[] = [
  // The drivers and the queue between them and the stores.
  /^src\/database\/(?:postgres|sqlite)(?:-connection|-stream|-writer)?\.ts$/,
  /^src\/database\/(?:database-observer|write-queue)\.ts$/,
  // Statements about the server and a channel, and about the tables that have a row for each instance.
  /^src\/database\/(?:coordination-tables|postgres-history|postgres-leases|postgres-notices)\.ts$/,
  /^src\/(?:database\/named-instance|configuration\/registry-rows)\.ts$/,
  /^src\/(?:identity\/host-key|hosting\/usage-rows)\.ts$/,
  // An operator asks for it, and it counts whole tables.
  /^src\/operate\/doctor\//,
  // The owner of a sealed backup reads it as a whole, in a scratch store.
  /^src\/cli\/commands\/sync\/open\/read-sealed-file\.ts$/,
  // An operator copies a store, before an upgrade or to another place, lists or moves instances, or changes
  // an account or the key.
  /^src\/database\/table-columns\.ts$/,
  /^src\/(?:backup\/copy-store|database\/prepare-upgrade|hosting\/(?:adopt-store|list-instances|take-over-schema))\.ts$/,
  /^src\/(?:cli\/commands\/events\/accounts|events\/maintenance\/remove-account)\.ts$/,
  /^src\/identity\/(?:rename-account|reseal)\.ts$/,
  /^src\/(?:events\/subscriptions\/reseal-feed-urls|sync\/maintenance\/key-holders)\.ts$/,
  // Requests, responses as streams, and pages, which have no store.
  /^src\/(?:client|release|web)\//,
  /\.test\.ts$/,
];

/** As `src/sync/…:12`. */
export function findStatementLines(): string[] {
  return globSync("src/**/*.ts", { cwd: ROOT })
    .filter((path) => !OTHERS.some((pattern) => pattern.test(path)))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), "utf8")
        .split("\n")
        .flatMap((line, index) => (SENDS.test(line) ? [`${path}:${index + 1}`] : [])),
    );
}
