/** Statements for pages of the full order: upcoming events by date, earlier ones, those without a date. */
import type { Dialect } from "../../database/database.ts";

interface Part {
  readonly where: string;
  readonly order: string;
}

/** `$1` is the account, `$2` the time from which on events are upcoming. Each is a range of an index. */
function partsOf(dialect: Dialect) {
  const id = dialect === "postgres" ? 'e.event_id COLLATE "C"' : "e.event_id";
  return {
    upcoming: { where: "e.date_at >= $2", order: `e.date_at, ${id}` },
    past: { where: "e.date_at < $2", order: `e.date_at DESC, ${id} DESC` },
    undated: { where: "e.date_at IS NULL", order: id },
  } satisfies Record<string, Part>;
}

const from = ({ where }: Part) =>
  `FROM events_entries e WHERE e.account_id = $1 AND e.deleted_at IS NULL AND ${where}`;

/**
 * The rows of one page, unsorted. One statement, so that it sees one snapshot. `$3` is the limit, `$4` the
 * offset. Limit and offset of each part depend on the sizes of the parts before it, which are counted in the
 * index, no further than the page reaches.
 */
export function selectPage(columns: string, dialect: Dialect): string {
  const { upcoming, past, undated } = partsOf(dialect);
  // Without an order PostgreSQL would read the whole table, because it plans without the limit.
  const countUpTo = (part: Part, limit: string) =>
    `(SELECT count(*) AS size FROM
      (SELECT 1 AS one ${from(part)} ORDER BY ${part.order} LIMIT ${limit}) AS counted)`;
  const read = (name: string, part: Part, limit: string, offset: string) =>
    `SELECT * FROM (SELECT ${columns} ${from(part)}
     ORDER BY ${part.order} LIMIT ${limit} OFFSET ${offset}) AS ${name}`;
  const pastOffset = `$4 - ${size("upcoming_skipped")}`;
  const pastLimit = `$3 + ${size("upcoming_skipped")} - ${size("upcoming_reached")}`;
  const undatedOffset = `${pastOffset} - ${size("past_skipped")}`;
  const undatedLimit = `${pastLimit} + ${size("past_skipped")} - ${size("past_reached")}`;
  return `WITH upcoming_skipped AS ${countUpTo(upcoming, "$4")},
    past_skipped AS ${countUpTo(past, pastOffset)},
    upcoming_reached AS ${countUpTo(upcoming, "$4 + $3")},
    past_reached AS ${countUpTo(past, `${pastOffset} + ${pastLimit}`)}
    ${read("upcoming", upcoming, "$3", "$4")}
    UNION ALL ${read("past", past, pastLimit, pastOffset)}
    UNION ALL ${read("undated", undated, undatedLimit, undatedOffset)}`;
}

const size = (name: string) => `(SELECT size FROM ${name})`;

/**
 * One row: the texts of the first `$3` events as one, whether there are more, and the stamp of the last change. A
 * UNION ALL promises no order, so each part is joined from a sorted subquery, whose order both databases keep.
 */
export function joinFirstPage(dialect: Dialect): string {
  const { upcoming, past, undated } = partsOf(dialect);
  const join = (part: Part, limit: string) =>
    `(SELECT string_agg(t.wire, ',') AS text, count(*) AS size
      FROM (SELECT e.wire ${from(part)} ORDER BY ${part.order} LIMIT ${limit}) AS t)`;
  const text = (name: string) => `(SELECT text FROM ${name})`;
  const pastLimit = `$3 - ${size("upcoming")}`;
  return `WITH upcoming AS ${join(upcoming, "$3")},
    past AS ${join(past, pastLimit)},
    undated AS ${join(undated, `${pastLimit} - ${size("past")}`)}
    SELECT concat_ws(',', ${text("upcoming")}, ${text("past")}, ${text("undated")}) AS text,
      CASE WHEN (SELECT c.live_count FROM events_counters c WHERE c.account_id = $1) > $3
        THEN 1 ELSE 0 END AS has_more,
      (SELECT e.updated_at FROM events_entries e WHERE e.account_id = $1 AND e.deleted_at IS NULL
        ORDER BY e.updated_at DESC LIMIT 1) AS last_stamp`;
}
