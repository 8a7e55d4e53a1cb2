import { examine } from "../../server/doctor/examine.ts";
import type { Finding } from "../../server/doctor/finding.ts";
import { CommandError, defineCommand } from "../command.ts";

const MARKS: Readonly<Record<Finding["level"], string>> = {
  ok: "ok     ",
  warning: "warning",
  fault: "FAULT  ",
};

export const doctorCommand = defineCommand({
  summary: "Check everything Trellis depends on, and say what to do",
  description:
    "Looks at the configuration, keys, permissions, clock, catalogue, manifest expiry, stores, subscriptions, last backups and public addresses. Changes nothing. Exits 1 when there is a fault.",
  async run(context) {
    const findings = await examine(await context.configuration(), Date.now());
    for (const { level, subject, message, remedy } of findings) {
      context.print(
        `${MARKS[level]}  ${subject}: ${message}${remedy === undefined ? "" : `; ${remedy}`}`,
      );
    }
    const faults = findings.filter(({ level }) => level === "fault").length;
    if (faults > 0) {
      throw new CommandError(`${faults} ${faults === 1 ? "fault" : "faults"} found`, { findings });
    }
    context.json({ findings });
  },
});
