import { runDoctor } from "../../operate/doctor/run-doctor.ts";
import type { Finding } from "../../operate/doctor/finding.ts";
import { CommandError, defineCommand, option, UsageError } from "../command.ts";
import { formatCount } from "../format.ts";
import { parseIfGiven } from "./release/parse-options.ts";

const MARKS: Readonly<Record<Finding["level"], string>> = {
  ok: "ok     ",
  warning: "warning",
  error: "ERROR  ",
};

export const command = defineCommand({
  description:
    "Checks the configuration, keys, permissions, clock, catalogue, manifest expiry, stores, subscriptions, last backups and public addresses, and compares what apps get there with the catalogue. Changes nothing. Exit code 1 when there is an error.",
  options: {
    "compare-with": option(
      "URL",
      "Compare what this address serves with the catalogue (default: release.baseUrl)",
    ),
  },
  examples: ["trellis doctor --compare-with https://releases.example.com"],
  async run(context) {
    const compareWith = parseIfGiven("--compare-with", context.options["compare-with"], parseUrl);
    const configuration = await context.configuration();
    if (compareWith !== undefined && configuration.release === undefined) {
      throw new UsageError("--compare-with needs a release section in the configuration");
    }
    const findings = await runDoctor(configuration, Date.now(), { compareWith });
    context.print(
      ...findings.map(
        ({ level, subject, message, remedy }) =>
          `${MARKS[level]}  ${subject}: ${message}${remedy === undefined ? "" : `; ${remedy}`}`,
      ),
    );
    const errors = findings.filter(({ level }) => level === "error").length;
    if (errors > 0) {
      throw new CommandError(`${formatCount(errors, "error")} found`, { findings });
    }
    context.json({ findings });
  },
});

function parseUrl(name: string, text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "") return text;
  throw new UsageError(`${name} must be an address such as https://releases.example.com`);
}
