/** The values of an Accept field with their weights (RFC 9110 12.4.2), in lower case and in their order. */
export function readAcceptedValues(field: string | null): [value: string, weight: number][] {
  return (field ?? "").split(",").map((part) => {
    const [value = "", ...parameters] = part.trim().split(";");
    return [value.trim().toLowerCase(), readWeight(parameters)];
  });
}

function readWeight(parameters: readonly string[]): number {
  const given = parameters.map((text) => /^\s*q=(\d(?:\.\d{0,3})?)\s*$/i.exec(text)?.[1]);
  const weight = given.find((text) => text !== undefined);
  return weight === undefined ? 1 : Math.min(1, Number(weight));
}
