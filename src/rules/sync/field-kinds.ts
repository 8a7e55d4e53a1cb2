/**
 * Fields of a kind: a counter has a field for each device, a set one for each element, so that concurrent
 * changes touch different registers; an order is a text that sorts. All devices read one value from them.
 */

/**
 * How concurrent changes of a field merge: a counter adds, a set unites, an order keeps places. Other fields
 * take the latest value.
 */
export type FieldKind = "counter" | "set" | "order";

type Fields = Readonly<Record<string, unknown>>;

/** The field that a device has of a counter, or an element of a set: `tags/at%20home`. */
export function partField(field: string, part: string): string {
  return `${field}/${encodeURIComponent(part)}`;
}

/** The device or element of such a field; null for another field, or one in another spelling. */
export function parsePart(field: string, name: string): string | null {
  if (!name.startsWith(`${field}/`)) return null;
  try {
    const part = decodeURIComponent(name.slice(field.length + 1));
    return partField(field, part) === name ? part : null;
  } catch {
    return null;
  }
}

/** Whether a device can write the number: the numbers of all possible devices add up to a finite one. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/**
 * The sum over all devices, added in the order of the field names, because the order decides how
 * fractions round. A number from before the field was a counter counts too.
 */
export function counterValue(field: string, fields: Fields): number {
  const plain = fields[field];
  let sum = isCount(plain) ? plain : 0;
  for (const name of Object.keys(fields).sort()) {
    const count = fields[name];
    if (parsePart(field, name) !== null && isCount(count)) sum += count;
  }
  return sum;
}

/**
 * The elements in the order of their code units: those whose field is true, and those of a list from
 * before the field was a set whose field is absent.
 */
export function setElements(field: string, fields: Fields): string[] {
  const plain = fields[field];
  const elements = new Set<string>(Array.isArray(plain) ? plain.filter(isElement) : []);
  for (const [name, value] of Object.entries(fields)) {
    const element = parsePart(field, name);
    if (element === null) continue;
    if (value === true) elements.add(element);
    else elements.delete(element);
  }
  return [...elements].sort();
}

/** Half a surrogate pair has no percent-encoding. */
export function isElement(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

/** The greatest number of digits after the first letter, which is that of `A` and `z`. */
const MAX_INTEGER_DIGITS = 26;

/**
 * Whether the text is an order key: a letter that tells how many digits the integer has (`a` one, `b`
 * two; `Z` one, `Y` two, for those below), its digits in base 62, and a fraction that does not end in 0.
 */
export function isOrderKey(value: unknown): value is string {
  if (typeof value !== "string" || !/^[A-Za-z][0-9A-Za-z]+$/.test(value)) return false;
  const head = value.charCodeAt(0);
  const digits = head >= 97 ? head - 96 : 91 - head;
  const hasInteger = value.length > digits;
  const hasFraction = value.length > digits + 1;
  // Nothing sorts before the least integer, so it is no key.
  const isLeast = value === `A${"0".repeat(MAX_INTEGER_DIGITS)}`;
  return hasInteger && !(hasFraction && value.endsWith("0")) && !isLeast;
}

/** Keys sort by code unit, entities with equal keys by id, and entities without a key are last. */
export function compareOrder(
  one: { readonly key: string; readonly id: string },
  other: { readonly key: string; readonly id: string },
): number {
  if (one.key === other.key) return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
  if (one.key === "" || other.key === "") return one.key === "" ? 1 : -1;
  return one.key < other.key ? -1 : 1;
}
