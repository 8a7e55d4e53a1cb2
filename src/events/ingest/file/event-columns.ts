/** The members of an event in files: names of columns, and of members of objects. */
export const EVENT_COLUMNS: ReadonlySet<string> = new Set([
  "id",
  "type",
  "subject_name",
  "title",
  "date",
  "created_at",
]);
