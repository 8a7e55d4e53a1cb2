/**
 * Fields whose shape changed: an app shows a field of today from older ones, as long as those were written
 * last. Revisions decide, so every device shows the same, and nothing is written by looking.
 */
import type { Revision } from "../../contract/sync/operation.ts";
import { compareRevisions } from "./operation.ts";

type Fields = Readonly<Record<string, unknown>>;

/** How a field of today is read from those of an older shape. */
export interface Evolution {
  readonly from: readonly string[];
  /** May throw. Fields without a value are absent. */
  readonly read: (older: Fields) => unknown;
  /** May throw. */
  readonly write?: ((value: unknown) => unknown) | undefined;
}

/** By the field that they give. A field of one may be among those that another reads. */
export type Evolutions = ReadonlyMap<string, Evolution>;

/** The fields of an entity, and when each was written. */
export interface DatedFields {
  readonly fields: Fields;
  /** Null when all were written by one operation. */
  readonly revisions: ReadonlyMap<string, Revision> | null;
}

export const NO_FIELDS: DatedFields = { fields: {}, revisions: null };

/** What a field shows. */
export type EvolvedValue =
  /** Its own register. */
  | { readonly kind: "own"; readonly value: unknown }
  /** What `read` gave; undefined for no value. */
  | { readonly kind: "read"; readonly value: unknown }
  | { readonly kind: "failed"; readonly message: string };

type Dated = EvolvedValue & { readonly revision: Revision };

/** A revision before all others, and one of an edit that is not stored yet. */
const FIRST: Revision = { sequence: 0, deviceId: "" };
const LAST: Revision = { sequence: Number.MAX_SAFE_INTEGER, deviceId: "" };

/**
 * What each evolved field shows that has or reads a register, those that others read included and before
 * these.
 */
export function evolveFields(
  evolutions: Evolutions,
  { fields, revisions }: DatedFields,
): Map<string, EvolvedValue> {
  const known = new Map<string, Dated | null>();

  function find(name: string): Dated | null {
    const found = known.get(name);
    if (found !== undefined) return found;
    const own = findOwn(name);
    const evolution = evolutions.get(name);
    const dated = evolution === undefined ? own : (readOlder(evolution, own) ?? own);
    known.set(name, dated);
    return dated;
  }

  function findOwn(name: string): Dated | null {
    if (!Object.hasOwn(fields, name)) return null;
    return { kind: "own", value: fields[name], revision: revisions?.get(name) ?? FIRST };
  }

  /** Null unless an older field has the greater revision. */
  function readOlder({ from, read }: Evolution, own: Dated | null): Dated | null {
    const older = from.flatMap((name) => {
      const dated = find(name);
      return dated === null ? [] : [{ name, dated }];
    });
    const [first, ...others] = older.map(({ dated }) => dated.revision);
    if (first === undefined) return null;
    const revision = others.reduce(laterOf, first);
    if (own !== null && compareRevisions(own.revision, revision) >= 0) return null;
    const given: [string, unknown][] = [];
    for (const { name, dated } of older) {
      if (dated.kind === "failed") return { ...dated, revision };
      if ((dated.value ?? null) !== null) given.push([name, dated.value]);
    }
    return { ...runRead(read, Object.fromEntries(given)), revision };
  }

  for (const name of evolutions.keys()) find(name);
  const evolved = [...known].flatMap(([name, dated]) =>
    dated !== null && evolutions.has(name) ? [[name, dated] as const] : [],
  );
  return new Map(evolved);
}

function runRead(read: Evolution["read"], given: Fields): EvolvedValue {
  try {
    return { kind: "read", value: read(given) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

function laterOf(one: Revision, other: Revision): Revision {
  return compareRevisions(one, other) >= 0 ? one : other;
}

/** The fields after an edit that is not stored yet; it is later than all that is. */
export function changeFields({ fields, revisions }: DatedFields, change: Fields): DatedFields {
  const names = Object.keys(fields);
  const isNew = names.length === 0;
  const dated = isNew ? null : new Map(names.map((name) => [name, revisions?.get(name) ?? FIRST]));
  for (const name of Object.keys(change)) dated?.set(name, LAST);
  return { fields: { ...fields, ...change }, revisions: dated };
}

/** All older fields: those that an evolved field reads. They are not part of today's shape. */
export function olderFields(evolutions: Evolutions): Set<string> {
  return new Set([...evolutions.values()].flatMap(({ from }) => from));
}

/** The fields of a circle, such as `a`, `b`, `a`; null when there is none. */
export function findCircle(evolutions: Evolutions): readonly string[] | null {
  const cleared = new Set<string>();
  function follow(path: readonly string[], name: string): readonly string[] | null {
    if (cleared.has(name)) return null;
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    for (const older of evolutions.get(name)?.from ?? []) {
      const circle = follow([...path, name], older);
      if (circle !== null) return circle;
    }
    cleared.add(name);
    return null;
  }
  for (const name of evolutions.keys()) {
    const circle = follow([], name);
    if (circle !== null) return circle;
  }
  return null;
}
