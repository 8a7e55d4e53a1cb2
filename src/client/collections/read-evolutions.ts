/** The option `evolve` of a collection, checked, because an app in JavaScript may pass anything. */
import { isObject } from "../../contract/is-object.ts";
import { findCircle, type Evolution, type Evolutions } from "../../rules/sync/evolved-fields.ts";
import type { FieldKind } from "../../rules/sync/field-kinds.ts";
import { isPlainObject, toJsonText } from "../sync/json-text.ts";
import { formatPath } from "../sync/value-path.ts";
import { findUnknownOption } from "./find-unknown-option.ts";

export type UntypedEvolve = Readonly<Record<string, Evolution>>;

/** Returns a text that says what is wrong. */
export function readEvolutions(
  evolve: UntypedEvolve,
  kinds: ReadonlyMap<string, FieldKind>,
): Evolutions | string {
  if (!isPlainObject(evolve)) return "evolve must be an object of fields";
  const evolutions = new Map<string, Evolution>();
  for (const [field, given] of Object.entries(evolve)) {
    const error = findError(given);
    if (error !== null) return `evolve.${field}: ${error}`;
    const ofKind = [field, ...given.from].find((name) => kinds.has(name));
    if (ofKind !== undefined) return `evolve.${field}: "${ofKind}" has a kind, so it cannot evolve`;
    evolutions.set(field, checkCalls(field, given));
  }
  const circle = findCircle(evolutions);
  if (circle === null) return evolutions;
  return `evolve goes in a circle (${circle.join(" reads ")}): give a new shape a new name`;
}

function findError(given: Evolution): string | null {
  const unknown = findUnknownOption(given, ["from", "read", "write"]);
  if (unknown !== null) return unknown;
  const { from, read, write } = given;
  const isList = Array.isArray(from) && from.every((name) => typeof name === "string");
  if (!isList || from.length === 0) return "from must be a list of older fields";
  if (typeof read !== "function") return "read must be a function";
  return write === undefined || typeof write === "function" ? null : "write must be a function";
}

/** What is no JSON could neither be settled nor shown by another device. */
function checkCalls(field: string, { from, read, write }: Evolution): Evolution {
  return {
    from,
    read(older) {
      const value = read(older);
      if (value !== undefined) requireJson("read", field, value);
      return value;
    },
    write:
      write &&
      ((value) => {
        const older = write(value);
        if (!isObject(older)) throw new TypeError("write must return an object of older fields");
        return Object.fromEntries(
          Object.entries(older).map(([name, part]) => [name, checkOlder(from, name, part)]),
        );
      }),
  };
}

/** An older field without a value is as one that a patch removes. */
function checkOlder(from: readonly string[], name: string, value: unknown): unknown {
  if (!from.includes(name)) throw new TypeError(`write gave "${name}", which is not in from`);
  requireJson("write", name, value ?? null);
  return value ?? null;
}

function requireJson(call: "read" | "write", field: string, value: unknown): void {
  const json = toJsonText(value, [field]);
  if (json.kind === "text") return;
  throw new TypeError(`${call} gave ${json.found} for ${formatPath(json.path)}, which is not JSON`);
}
