/** A query that no declared index finder. */
export class IndexNeededError extends TypeError {
  /** What to add to the indexes of the collection: a field, or the fields of a compound index. */
  readonly index: string | readonly string[];

  constructor(type: string, asked: string, index: readonly string[]) {
    const [first = ""] = index;
    const needed = index.length === 1 ? first : index;
    super(
      `Cannot list "${type}": ${asked} needs an index: declare ${JSON.stringify(needed)} in the indexes of the collection`,
    );
    this.name = "IndexNeededError";
    this.index = needed;
  }
}
