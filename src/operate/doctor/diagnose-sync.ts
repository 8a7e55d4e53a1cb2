import { readStoredBytes } from "../../sync/sql/stored-bytes.ts";
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Database } from "../../database/database.ts";
import type {
  StoreSection,
  SyncServiceSettings,
} from "../../configuration/configuration-schema.ts";
import { SYNC_STORE } from "../../sync/sql/open-store.ts";
import { findProfileError } from "../../sync/sql/check-profile.ts";
import { checkAccountCount } from "./check-account-count.ts";
import { diagnoseStoreService } from "./diagnose-store-service.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

export function diagnoseSync(
  {
    quota,
    profile,
    corsOrigins,
    redirectUris,
    baseUrl,
    ...section
  }: StoreSection & AppSettings & Pick<SyncServiceSettings, "quota">,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  return diagnoseStoreService({
    ...section,
    ...SYNC_STORE,
    checkTables: async (database) => [
      ...(await checkTables(database, now)),
      ...(await checkProfile(database, profile)),
      describeApps({ profile, corsOrigins, redirectUris, baseUrl }),
      ...(quota.bytes === undefined ? [] : [await checkQuota(database, quota.bytes)]),
    ],
    dataDir,
    now,
  });
}

async function checkProfile(database: Database, profile: SyncProfile): Promise<Finding[]> {
  const error = await findProfileError(database, profile);
  return error === null ? [] : [errorFinding("sync profile", error.reason, error.remedy)];
}

type AppSettings = Pick<
  SyncServiceSettings,
  "profile" | "corsOrigins" | "redirectUris" | "baseUrl"
>;

/** Which apps can use the instance; that a redirect URI is a web app's cannot be known, so it is only a hint. */
function describeApps({ profile, corsOrigins, redirectUris, baseUrl }: AppSettings): Finding {
  const origins = corsOrigins.length === 0 ? "of no origin" : `of ${corsOrigins.join(", ")}`;
  const known = new Set([...corsOrigins, new URL(baseUrl).origin]);
  const unlisted = redirectUris
    .map((entry) => new URL(typeof entry === "string" ? entry : entry.uri))
    .filter(({ protocol, origin }) => protocol === "https:" && !known.has(origin))
    .map(({ origin }) => origin);
  const hint =
    unlisted.length === 0
      ? ""
      : `; if ${[...new Set(unlisted)].join(", ")} is a web app, add it to sync.corsOrigins, or it can sign in but not sync`;
  return ok(
    "sync apps",
    `those with the profile "${profile}" can sync, and web apps ${origins}${hint}`,
  );
}

/** An operator has time to act before the first push is refused. */
const ALMOST_USED_UP = 0.9;

async function checkQuota(database: Database, maxBytes: number): Promise<Finding> {
  const subject = "sync quota";
  const share = (await readStoredBytes(database)) / maxBytes;
  const used = `${Math.floor(share * 100)} % of the ${maxBytes} bytes of \`quota.bytes\` are used`;
  if (share < ALMOST_USED_UP) return ok(subject, used);
  return warning(
    subject,
    share < 1 ? used : `${used}, so devices keep their changes and cannot send them`,
    "allow more, or free space with `trellis sync compact`",
  );
}

async function checkTables(database: Database, now: number): Promise<Finding[]> {
  const [row] = await database.query<{ operations: number; accounts: number }>(
    `SELECT (SELECT count(*) FROM sync_operations WHERE instance = $instance) AS operations,
       (SELECT count(*) FROM identity_accounts
        WHERE instance = $instance AND realm = 'sync') AS accounts`,
  );
  return [
    ok("sync store", `it is readable and has ${row?.operations} operations in its log`),
    await checkAccountCount(
      database,
      { name: "sync", subject: "sync account", now },
      row?.accounts ?? 0,
    ),
  ];
}
