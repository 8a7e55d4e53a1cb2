/**
 * Fields with their values as JSON texts, exactly as pushed: numbers beyond 2^53 stay what they are.
 * Two lists and no map: every operation of every push has them, with a handful of fields.
 */
export class FieldTexts {
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly texts: readonly string[];

  constructor(names: readonly string[], texts: readonly string[]) {
    this.names = names;
    this.texts = texts;
  }

  get(name: string): string | undefined {
    return this.texts[this.names.indexOf(name)];
  }

  /** Of these names, each of which is one of them. */
  pick(names: readonly string[]): FieldTexts {
    // Creates name every field.
    if (names.length === this.names.length) return this;
    return new FieldTexts(
      names,
      names.map((name) => this.get(name) as string),
    );
  }
}

/** Whether both name the same fields in the same order, as a device's operations mostly do. */
export function haveSameNames(names: readonly string[], others: readonly string[]): boolean {
  if (names.length !== others.length) return false;
  for (let index = 0; index < names.length; index++) {
    if (names[index] !== others[index]) return false;
  }
  return true;
}

export const NO_FIELDS = new FieldTexts([], []);
