/** Fields whose shape changed: what an entity shows, and what an edit of it writes. */
import type { Revision } from "../../src/contract/sync/operation.ts";
import {
  evolveFields,
  olderFields,
  type DatedFields,
  type Evolution,
  type Evolutions,
} from "../../src/rules/sync/evolved-fields.ts";
import {
  toFieldsBeside,
  toOlderFields,
  toRestoredFields,
  toSettledFields,
} from "../../src/rules/sync/evolved-writes.ts";
import type { VectorSource } from "./vector-file.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Change {
  readonly from: readonly string[];
  readonly writes?: true;
  /** `read` throws. */
  readonly fails?: true;
}

interface EvolveInput {
  readonly evolve: Readonly<Record<string, Change>>;
  /** The visible registers of an entity, as a snapshot has them. */
  readonly registers: Readonly<
    Record<string, { readonly value: unknown; readonly revision: Revision }>
  >;
  readonly edit?:
    | { readonly kind: "patch"; readonly fields: Fields }
    | { readonly kind: "restore" | "settle" };
}

export function createEvolveVectors(): VectorSource<EvolveInput> {
  return {
    name: "sync-evolve",
    description:
      'Fields whose shape changed: docs/protocol/sync.md, Fields whose shape changed. In these cases `read` of a field gives `{"read": <field>, "of": <the older fields that it gets>}`, or throws where `fails` is set, and `write`, where `writes` is set, gives each older field `{"written": <its name>, "of": <the value>}`. `expected.shown` has the evolved fields of today, `expected.failed` those that cannot be read, `expected.written` the payload fields that the operation of `input.edit` writes.',
    inputs: INPUTS,
    expect({ evolve, registers, edit }) {
      const evolutions: Evolutions = new Map(
        Object.entries(evolve).map(([field, change]) => [field, toEvolution(field, change)]),
      );
      const held = toDated(registers);
      return {
        ...show(evolutions, held),
        ...(edit && { written: write(evolutions, held, edit) }),
      };
    },
    codes: ["read", "written"],
  };
}

function toEvolution(field: string, { from, writes, fails }: Change): Evolution {
  return {
    from,
    read(older) {
      if (fails) throw new Error("it cannot be read");
      return { read: field, of: older };
    },
    write:
      writes &&
      ((value) => Object.fromEntries(from.map((name) => [name, { written: name, of: value }]))),
  };
}

function toDated(registers: EvolveInput["registers"]): DatedFields {
  const entries = Object.entries(registers);
  return {
    fields: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    revisions: new Map(entries.map(([name, { revision }]) => [name, revision])),
  };
}

function show(evolutions: Evolutions, held: DatedFields): object {
  const older = olderFields(evolutions);
  const today = [...evolveFields(evolutions, held)].filter(([name]) => !older.has(name));
  const shown = today.flatMap(([name, one]) =>
    one.kind === "failed" || (one.value ?? null) === null ? [] : [[name, one.value] as const],
  );
  const failed = today.filter(([, { kind }]) => kind === "failed").map(([name]) => name);
  return { shown: Object.fromEntries(shown), failed: failed.sort() };
}

function write(
  evolutions: Evolutions,
  held: DatedFields,
  edit: NonNullable<EvolveInput["edit"]>,
): Fields {
  if (edit.kind === "patch") return patch(evolutions, held, edit.fields);
  if (edit.kind === "settle") return toSettledFields(evolutions, held);
  const restored = { ...held.fields, ...toRestoredFields(evolutions, held) };
  return Object.fromEntries(Object.entries(restored).filter(([, value]) => value !== undefined));
}

function patch(evolutions: Evolutions, held: DatedFields, given: Fields): Fields {
  const fields = { ...toOlderFields(evolutions, given), ...given };
  return { ...fields, ...toFieldsBeside(evolutions, held, new Set(Object.keys(fields))) };
}

/** A register that the device `a`, or another one, wrote. */
const at = (sequence: number, value: unknown, deviceId = "a") => ({
  value,
  revision: { deviceId, sequence },
});

const CENTS = { cents: { from: ["amount"], writes: true } } as const;
const NAMES = { first: { from: ["name"], writes: true }, last: { from: ["name"] } } as const;
const CHAIN = {
  money: { from: ["cents", "currency"], writes: true },
  cents: { from: ["amount"], writes: true },
} as const;
const BROKEN = { cents: { from: ["amount"], fails: true } } as const;

const INPUTS: Record<string, EvolveInput> = {
  "no register": { evolve: CENTS, registers: { note: at(1, "x") } },
  "only an older field": { evolve: CENTS, registers: { amount: at(1, 1.5) } },
  "only its own field": { evolve: CENTS, registers: { cents: at(1, 150) } },
  "an older field that was written later": {
    evolve: CENTS,
    registers: { amount: at(2, 1.5), cents: at(1, 70) },
  },
  "its own field that was written later": {
    evolve: CENTS,
    registers: { amount: at(1, 1.5), cents: at(2, 70) },
  },
  "both of one operation": { evolve: CENTS, registers: { amount: at(2, 1.5), cents: at(2, 70) } },
  "equal counts of two devices": {
    evolve: CENTS,
    registers: { amount: at(2, 1.5, "b"), cents: at(2, 70, "a") },
  },
  "equal counts, the other way round": {
    evolve: CENTS,
    registers: { amount: at(2, 1.5, "B"), cents: at(2, 70, "a") },
  },
  "null in the older field counts as written, and is absent": {
    evolve: { title: { from: ["who", "what"] } },
    registers: { who: at(3, null), what: at(1, "Milk"), title: at(2, "Ada: Milk") },
  },
  "null alone is still read": {
    evolve: CENTS,
    registers: { amount: at(3, null), cents: at(2, 70) },
  },
  "null in its own field is no value": {
    evolve: CENTS,
    registers: { amount: at(1, 1.5), cents: at(2, null) },
  },
  "the latest of several older fields decides": {
    evolve: { title: { from: ["who", "what"] } },
    registers: { who: at(1, "Ada"), what: at(5, "Milk"), title: at(3, "x") },
  },
  "a chain from its beginning": { evolve: CHAIN, registers: { amount: at(1, 1.5) } },
  "a chain whose step was written later": {
    evolve: CHAIN,
    registers: { amount: at(1, 1.5), cents: at(2, 70), currency: at(1, "EUR") },
  },
  "a chain whose end was written before its beginning": {
    evolve: CHAIN,
    registers: { amount: at(7, 1.5), cents: at(2, 70), money: at(5, "m") },
  },
  "a chain whose end was written last": {
    evolve: CHAIN,
    registers: { amount: at(2, 1.5), cents: at(3, 70), money: at(3, "m") },
  },
  "what cannot be read": { evolve: BROKEN, registers: { amount: at(2, "?"), cents: at(1, 70) } },
  "what need not be read": { evolve: BROKEN, registers: { amount: at(1, "?"), cents: at(1, 70) } },
  "a chain behind a step that cannot be read": {
    evolve: { ...BROKEN, money: { from: ["cents"] } },
    registers: { amount: at(2, "?"), money: at(1, "m") },
  },
  "an edit writes the older field": {
    evolve: CENTS,
    registers: { amount: at(1, 1.5) },
    edit: { kind: "patch", fields: { cents: 70 } },
  },
  "an edit of another field writes that alone": {
    evolve: CENTS,
    registers: { amount: at(1, 1.5) },
    edit: { kind: "patch", fields: { note: "x" } },
  },
  "an edit that removes the value": {
    evolve: CENTS,
    registers: { amount: at(1, 1.5) },
    edit: { kind: "patch", fields: { cents: null } },
  },
  "an edit writes back through a chain": {
    evolve: CHAIN,
    registers: { amount: at(1, 1.5) },
    edit: { kind: "patch", fields: { money: "m" } },
  },
  "what shares the older field keeps what it showed": {
    evolve: NAMES,
    registers: { name: at(1, "Ada King") },
    edit: { kind: "patch", fields: { first: "Eve" } },
  },
  "what shares the older field and has no value gets none": {
    evolve: NAMES,
    registers: {},
    edit: { kind: "patch", fields: { first: "Eve" } },
  },
  "without write the older field stays": {
    evolve: NAMES,
    registers: { name: at(1, "Ada King") },
    edit: { kind: "patch", fields: { last: "Lovelace" } },
  },
  "a restore writes what was read": {
    evolve: CENTS,
    registers: { amount: at(2, 1.5), cents: at(1, 70), note: at(1, "x") },
    edit: { kind: "restore" },
  },
  "a restore leaves out what could not be read": {
    evolve: BROKEN,
    registers: { amount: at(2, "?"), cents: at(1, 70) },
    edit: { kind: "restore" },
  },
  "a restore of a chain": {
    evolve: CHAIN,
    registers: { amount: at(7, 1.5), cents: at(2, 70), money: at(5, "m") },
    edit: { kind: "restore" },
  },
  "a settle writes what is read": {
    evolve: CHAIN,
    registers: { amount: at(7, 1.5), cents: at(2, 70), money: at(5, "m") },
    edit: { kind: "settle" },
  },
  "a settle of what shows its own value": {
    evolve: CENTS,
    registers: { amount: at(1, 1.5), cents: at(2, 70) },
    edit: { kind: "settle" },
  },
  "a settle of what cannot be read": {
    evolve: BROKEN,
    registers: { amount: at(2, "?"), cents: at(1, 70) },
    edit: { kind: "settle" },
  },
};
