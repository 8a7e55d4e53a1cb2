/** Authorization requests that wait, in SQL. */
import type { Queryable, Row } from "../../database/database.ts";
import type { Interaction, InteractionRecords } from "../store.ts";

interface InteractionRow extends Row {
  readonly binding_hash: string;
  readonly request: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** JSON escapes what a database would refuse, so that a state comes back to the letter. */
type Request = Pick<Interaction, "clientId" | "redirectUri" | "state" | "codeChallenge" | "scope">;

const COLUMNS = "binding_hash, request, created_at, expires_at";

export function createSqlInteractions(tx: Queryable): InteractionRecords {
  return {
    async add(interaction, maxLive) {
      // Leaves place for one. SQLite has no OFFSET without a LIMIT, hence the large one.
      await tx.query(
        `DELETE FROM events_interactions WHERE interaction_hash IN (
           SELECT interaction_hash FROM events_interactions
           ORDER BY created_at DESC, interaction_hash LIMIT 1000000 OFFSET $1
         )`,
        [maxLive - 1],
      );
      const { interactionHash, bindingHash, createdAt, expiresAt, ...request } = interaction;
      await tx.query(
        `INSERT INTO events_interactions (interaction_hash, ${COLUMNS})
         VALUES ($1, $2, $3, $4, $5)`,
        [interactionHash, bindingHash, requestToText(request), createdAt, expiresAt],
      );
    },
    async find(interactionHash, now) {
      const [row] = await tx.query<InteractionRow>(
        `SELECT ${COLUMNS} FROM events_interactions
         WHERE interaction_hash = $1 AND expires_at > $2`,
        [interactionHash, now],
      );
      return row === undefined ? null : toInteraction(interactionHash, row);
    },
    async take(interactionHash, now) {
      // One statement decides: of any number of parallel takers exactly one gets the row.
      const [row] = await tx.query<InteractionRow>(
        `DELETE FROM events_interactions WHERE interaction_hash = $1 AND expires_at > $2
         RETURNING ${COLUMNS}`,
        [interactionHash, now],
      );
      return row === undefined ? null : toInteraction(interactionHash, row);
    },
  };
}

export async function pruneSqlInteractions(tx: Queryable, now: number): Promise<void> {
  await tx.query("DELETE FROM events_interactions WHERE expires_at <= $1", [now]);
}

function requestToText({ clientId, redirectUri, state, codeChallenge, scope }: Request): string {
  return JSON.stringify({ clientId, redirectUri, state, codeChallenge, scope });
}

function toInteraction(interactionHash: string, row: InteractionRow): Interaction {
  return {
    interactionHash,
    bindingHash: row.binding_hash,
    ...(JSON.parse(row.request) as Request),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
