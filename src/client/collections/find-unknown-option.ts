import { isObject } from "../../contract/is-object.ts";

/** Says what is wrong with the options of an app in JavaScript; null when each is one of the names. */
export function findUnknownOption(options: unknown, names: readonly string[]): string | null {
  const found = isObject(options)
    ? Object.keys(options).find((name) => !names.includes(name))
    : String(options);
  return found === undefined ? null : `expected { ${names.join(", ")} }, not "${found}"`;
}
