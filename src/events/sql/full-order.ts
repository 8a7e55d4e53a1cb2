/** Statements for pages of the full order: upcoming events by date, earlier ones, those without a date. */
import type { Dialect } from "../../database/database.ts";
import { joinTexts } from "../../database/joined-texts.ts";

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
 * offset of any page but the first. Limit and offset of each part depend on the sizes of the parts before
 * it, which are counted in the index, no further than the page reaches.
 */
export function selectFullPage(columns: string, dialect: Dialect, page: "first" | "any"): string {
  const { upcoming, past, undated } = partsOf(dialect);
  // Without an order PostgreSQL would read the whole table, because it plans without the limit.
  const countUpTo = (part: Part, limit: string) =>
    `(SELECT count(*) AS size FROM
      (SELECT 1 AS one ${from(part)} ORDER BY ${part.order} LIMIT ${limit}) AS counted)`;
  const read = (name: string, part: Part, limit: string, offset: string) =>
    `SELECT * FROM (SELECT ${columns} ${from(part)}
     ORDER BY ${part.order} LIMIT ${limit} OFFSET ${offset}) AS ${name}`;
  const size = (name: string) => `(SELECT size FROM ${name})`;
  // The first page skips nothing: counting that would take SQLite a sixth of its time.
  const isFirst = page === "first";
  const offset = isFirst ? "0" : "$4";
  const skipped = (name: string) => (isFirst ? "0" : size(`${name}_skipped`));
  const pastOffset = `${offset} - ${skipped("upcoming")}`;
  const pastLimit = `$3 + ${skipped("upcoming")} - ${size("upcoming_reached")}`;
  const undatedOffset = `${pastOffset} - ${skipped("past")}`;
  const undatedLimit = `${pastLimit} + ${skipped("past")} - ${size("past_reached")}`;
  const skips = `upcoming_skipped AS ${countUpTo(upcoming, offset)},
    past_skipped AS ${countUpTo(past, pastOffset)},`;
  return `WITH ${isFirst ? "" : skips}
    upcoming_reached AS ${countUpTo(upcoming, `${offset} + $3`)},
    past_reached AS ${countUpTo(past, `${pastOffset} + ${pastLimit}`)}
    ${read("upcoming", upcoming, "$3", offset)}
    UNION ALL ${read("past", past, pastLimit, pastOffset)}
    UNION ALL ${read("undated", undated, undatedLimit, undatedOffset)}`;
}

/** PostgreSQL: the texts of the first page, those of each part joined. `$3` is the limit. */
export function joinFirstPage(): string {
  const { upcoming, past, undated } = partsOf("postgres");
  const read = (part: Part, limit: string) =>
    `MATERIALIZED (SELECT e.wire, e.updated_at ${from(part)} ORDER BY ${part.order} LIMIT ${limit})`;
  const left = (...before: readonly string[]) =>
    ["$3", ...before.map((name) => `(SELECT count(*) FROM ${name})`)].join(" - ");
  const join = (name: string) =>
    `(SELECT ${joinTexts("wire")} AS texts, max(updated_at) AS last_stamp FROM ${name}) AS ${name}_texts`;
  return `WITH upcoming AS ${read(upcoming, left())},
    past AS ${read(past, left("upcoming"))},
    undated AS ${read(undated, left("upcoming", "past"))}
    SELECT upcoming_texts.texts AS upcoming, past_texts.texts AS past, undated_texts.texts AS undated,
      greatest(upcoming_texts.last_stamp, past_texts.last_stamp, undated_texts.last_stamp) AS last_stamp
    FROM ${join("upcoming")}, ${join("past")}, ${join("undated")}`;
}
