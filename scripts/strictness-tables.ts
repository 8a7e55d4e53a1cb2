/** What a service refuses, as tables: the rows of the contract, and the integers of its queries. */
import type { ServiceContract, Parameter } from "../src/contract/route.ts";
import {
  STRICTNESS,
  type ErrorPair,
  type Strictness,
  type StrictnessReason,
} from "../src/contract/strictness.ts";
import { formatMarkdownTable } from "./page-blocks.ts";

export function createStrictnessTables(
  strictness: Strictness<string>,
  contract: ServiceContract,
): string {
  return [
    formatMarkdownTable([
      ["Request", "Response"],
      ...(Object.keys(STRICTNESS) as StrictnessReason[]).flatMap((reason) =>
        toRow(reason, strictness, contract),
      ),
    ]),
    formatMarkdownTable([
      ["Integer, not as `05`, `+5`, `1e2`, `0x10`", "From", "To", "Otherwise"],
      ...integerRows(contract),
    ]),
  ].join("\n\n");
}

function toRow(
  reason: StrictnessReason,
  { covers, ignores, errorOf }: Strictness<string>,
  { routes }: ServiceContract,
): string[][] {
  if (!covers(reason)) return [];
  const { when, on } = STRICTNESS[reason];
  const where = on.startsWith("routes") ? `, on ${on}` : "";
  const usual = ignores(reason) ? "ignored" : describe(errorOf(reason));
  const others = Map.groupBy(
    ignores(reason) ? [] : routes.filter(({ path }) => describe(errorOf(reason, path)) !== usual),
    ({ path }) => describe(errorOf(reason, path)),
  );
  const exceptions = [...others].map(
    ([response, list]) => `; ${response} at ${list.map(({ path }) => `\`${path}\``).join(", ")}`,
  );
  const longer = routes.flatMap(({ path, maxTargetBytes }) =>
    reason === "target-too-long" && maxTargetBytes !== undefined
      ? [`, of ${maxTargetBytes / 1024} KiB at \`${path}\``]
      : [],
  );
  return [[`${when}${longer.join("")}${where}`, `${usual}${exceptions.join("")}`]];
}

function describe({ status, code }: ErrorPair<string>): string {
  return `${status} \`${code}\``;
}

function integerRows({ routes }: ServiceContract): string[][] {
  return routes.flatMap(({ path, query = {} }) =>
    Object.entries<Parameter>(query).flatMap(([name, { schema, anyLength, invalid }]) => {
      const { type, minimum, maximum } = schema as {
        readonly type?: string;
        readonly minimum?: number;
        readonly maximum?: number;
      };
      if (type !== "integer") return [];
      const last = anyLength === true ? "any length" : String(maximum);
      return [[`\`${name}\` of \`${path}\``, String(minimum), last, `400 \`${invalid}\``]];
    }),
  );
}
