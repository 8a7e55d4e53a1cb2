/** An entity as its collection shows it: the fields, and its id. Frozen. */
export type Entity<Task extends object> = Readonly<Task> & {
  /** The id without the type: that of the entity `task/4f0c` is `4f0c`. */
  readonly id: string;
  /** The server refused an edit of it: see `client.quarantine`. */
  readonly refused?: true;
};

/** The names of the fields of a type, as edits and indexes take them. */
export type FieldOf<Task> = Extract<keyof Task, string>;

/** Without a type, a field may have any name. */
export type KnownField<Task> = string extends FieldOf<Task> ? never : FieldOf<Task>;
