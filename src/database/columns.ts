/** Maps the members of a record to columns of the same names in snake case. */
import type { SqlValue } from "./database.ts";

export function columnsOf<T extends { readonly [K in keyof T]: SqlValue }>(
  ...members: (keyof T & string)[]
) {
  const names = members.map((member) =>
    member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  return {
    names: names.join(", "),
    placeholders: names.map((_, index) => `$${index + 1}`).join(", "),
    /** `g.grant_id AS "grantId", …` */
    select: (table: string) =>
      names.map((name, index) => `${table}.${name} AS "${members[index]}"`).join(", "),
    /** `name = $2, …` */
    assignments: (firstParameter: number) =>
      names.map((name, index) => `${name} = $${firstParameter + index}`).join(", "),
    values: (record: T): SqlValue[] => members.map((member) => record[member]),
  };
}
