/** What an edit of an entity with evolved fields writes beside the fields that the app names. */
import {
  evolveFields,
  olderFields,
  type DatedFields,
  type Evolutions,
  type EvolvedValue,
} from "./evolved-fields.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The older fields that go with the fields of an edit, so that an older app sees it. Throws what a `write` throws. */
export function toOlderFields(evolutions: Evolutions, given: Fields): Fields {
  const older = Object.entries(given).flatMap(([field, value]) => {
    const { from = [], write } = evolutions.get(field) ?? {};
    if (write === undefined) return [];
    // A field without a value leaves the older ones without one.
    const written =
      (value ?? null) === null
        ? Object.fromEntries(from.map((name) => [name, null]))
        : (write(value) as Fields);
    return Object.entries({ ...written, ...toOlderFields(evolutions, written) });
  });
  return Object.fromEntries(older);
}

/**
 * Other fields of today that read one of those written: they go into the operation with what they showed
 * before, because its revision would make them read again.
 */
export function toFieldsBeside(
  evolutions: Evolutions,
  held: DatedFields,
  written: ReadonlySet<string>,
): Fields {
  const older = olderFields(evolutions);
  const readers = [...evolutions.keys()].filter(
    (name) => !written.has(name) && !older.has(name) && readsOneOf(evolutions, name, written),
  );
  if (readers.length === 0) return {};
  const shown = evolveFields(evolutions, held);
  const beside = readers.flatMap((name) => {
    const value = shown.get(name);
    return value?.kind === "failed" ? [] : [[name, value?.value ?? null] as const];
  });
  return Object.fromEntries(beside);
}

function readsOneOf(evolutions: Evolutions, name: string, names: ReadonlySet<string>): boolean {
  const from = evolutions.get(name)?.from ?? [];
  return from.some((older) => names.has(older) || readsOneOf(evolutions, older, names));
}

/**
 * A restore writes every register under one revision, by which each field would show its own: so all write
 * what they showed, and one that could not be read is left out, which undefined stands for.
 */
export function toRestoredFields(evolutions: Evolutions, held: DatedFields): Fields {
  const shown = [...evolveFields(evolutions, held)].filter(
    ([name, one]) => !isAbsent(held, name, one),
  );
  const restored = shown.map(([name, one]) => [
    name,
    one.kind === "failed" ? undefined : (one.value ?? null),
  ]);
  return Object.fromEntries(restored) as Fields;
}

/** What `read` shows and no register of a field of today has. */
export function toSettledFields(evolutions: Evolutions, held: DatedFields): Fields {
  const older = olderFields(evolutions);
  const settled = [...evolveFields(evolutions, held)].flatMap(([name, shown]) =>
    shown.kind !== "read" || older.has(name) || isAbsent(held, name, shown)
      ? []
      : [[name, shown.value ?? null] as const],
  );
  return Object.fromEntries(settled);
}

/** Whether neither `read` nor the register of the field has a value. */
function isAbsent({ fields }: DatedFields, name: string, shown: EvolvedValue): boolean {
  return shown.kind === "read" && (shown.value ?? fields[name] ?? null) === null;
}
