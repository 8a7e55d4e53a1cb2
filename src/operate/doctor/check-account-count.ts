import type { Database } from "../../database/database.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { ok, warning, type Finding } from "./finding.ts";

const INVITE = { sync: "account create --invite", events: "account invite" };

export async function checkAccountCount(
  database: Database,
  {
    name,
    subject,
    now,
  }: { readonly name: StoreOwner; readonly subject: string; readonly now: number },
  count: number,
): Promise<Finding> {
  if (count > 0) {
    return ok(subject, count === 1 ? "there is one account" : `there are ${count} accounts`);
  }
  const [row] = await database.query<{ until: number | null }>(
    `SELECT max(expires_at) AS until FROM identity_secrets
     WHERE instance = $instance AND realm = $1 AND purpose = 'invitation' AND expires_at > $2`,
    [name, now],
  );
  const until = row?.until ?? null;
  return until === null
    ? warning(
        subject,
        "there is no account, so sign-in is not possible",
        `run \`trellis ${name} account create --username NAME\`, or invite its owner with \`trellis ${name} ${INVITE[name]}\``,
      )
    : ok(
        subject,
        `there is no account yet; an invitation can be used until ${new Date(until).toISOString()}`,
      );
}
