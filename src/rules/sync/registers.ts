/**
 * The registers of an entity's fields: each has a value and the revision that wrote it. Three lists and
 * no map: there are a handful of them, states are read and merged with every push, and a map costs more
 * than looking through them.
 */
import type { Revision } from "../../contract/sync/types.ts";

export interface Register {
  /** The value as JSON text, exactly as its device wrote it. */
  readonly json: string;
  readonly revision: Revision;
}

export class Registers {
  readonly names: readonly string[];
  /** The values as JSON texts, in the order of the names. */
  readonly texts: readonly string[];
  /** In the order of the names. */
  readonly revisions: readonly Revision[];

  constructor(names: readonly string[], texts: readonly string[], revisions: readonly Revision[]) {
    this.names = names;
    this.texts = texts;
    this.revisions = revisions;
  }

  /** Where the field is, or -1. Fields mostly come in one order: it is looked for at `guess` first. */
  placeOf(name: string, guess = 0): number {
    return this.names[guess] === name ? guess : this.names.indexOf(name);
  }

  at(place: number): Register {
    return { json: this.texts[place] as string, revision: this.#revisionAt(place) };
  }

  get(name: string): Register | undefined {
    const place = this.placeOf(name);
    return place === -1 ? undefined : this.at(place);
  }

  /** Those whose revision passes. */
  filter(passes: (revision: Revision) => boolean): Registers {
    const places = [...this.names.keys()].filter((place) => passes(this.#revisionAt(place)));
    return places.length === this.names.length ? this : this.#take(places);
  }

  /** By name, so that equal registers are the same, whatever order they came in. */
  sorted(): Registers {
    const nameAt = (place: number) => this.names[place] ?? "";
    return this.#take([...this.names.keys()].sort((a, b) => (nameAt(a) < nameAt(b) ? -1 : 1)));
  }

  #revisionAt(place: number): Revision {
    return this.revisions[place] as Revision;
  }

  #take(places: readonly number[]): Registers {
    return new Registers(
      places.map((place) => this.names[place] as string),
      places.map((place) => this.texts[place] as string),
      places.map((place) => this.#revisionAt(place)),
    );
  }

  *[Symbol.iterator](): Generator<[name: string, register: Register]> {
    for (const [place, name] of this.names.entries()) yield [name, this.at(place)];
  }
}
