/** Asks the server on this machine whether it is ready: for a health check, a service manager or a script. */
import { isIPv6 } from "node:net";
import Type, { type Static } from "typebox";
import { createChecker } from "../../contract/check.ts";
import { enableOperator } from "../../configuration/configuration.ts";
import { parseJson } from "../../rules/parse-json.ts";
import type { OperatorConfiguration } from "../../configuration/configuration-schema.ts";
import { readBoundedText } from "../../http/read-bounded-text.ts";
import { CommandError, defineCommand } from "../command.ts";

/** The wait is longer than the server takes to find out that a store hangs. */
const RESPONSE_MS = 4500;
/** A line for each service. */
const MAX_READINESS_BYTES = 64 * 1024;

const Readiness = Type.Object({
  status: Type.String(),
  services: Type.Record(
    Type.String(),
    Type.Object({ status: Type.String(), reason: Type.Optional(Type.String()) }),
  ),
});

export const command = defineCommand({
  description:
    "Asks the operator's listener of a server on this machine (`operator.listen`, default: 127.0.0.1:4890). Exit code 1 when a service is unavailable, or when no server responds.",
  examples: ["trellis ready", "trellis ready --config /etc/trellis/trellis.config.json"],
  async run(context) {
    const { operator } = enableOperator(await context.configuration());
    const readiness = await readReadiness(toAddress(operator));
    const lines = Object.entries(readiness.services).map(
      ([name, { status, reason }]) => `${name}: ${reason ?? status}`,
    );
    if (readiness.status !== "ready") {
      throw new CommandError(["The server is not ready", ...lines], { ...readiness });
    }
    context.print(...lines);
    context.json(readiness);
  },
});

/** A listener on every address can be reached on loopback. */
function toAddress({ listen }: OperatorConfiguration): string {
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[listen.host] ?? listen.host;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${listen.port}/readyz`;
}

async function readReadiness(address: string): Promise<Static<typeof Readiness>> {
  const response = await fetch(address, { signal: AbortSignal.timeout(RESPONSE_MS) }).catch(
    () => null,
  );
  if (response === null) {
    throw new CommandError(
      `No server responds at ${address}: start one with \`trellis serve --operator\`, or correct \`operator.listen\``,
    );
  }
  const text = await readBoundedText(response.body ?? [], MAX_READINESS_BYTES).catch(() => null);
  const body = parseJson(text ?? "");
  if (createChecker(Readiness).is(body)) return body;
  throw new CommandError(
    `${address} responds with ${response.status} and no readiness: another program listens there; correct \`operator.listen\``,
  );
}
