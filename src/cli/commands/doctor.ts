import { runDoctor } from "../../server/doctor/run-doctor.ts";
import type { Finding } from "../../server/doctor/finding.ts";
import { CommandError, defineCommand } from "../command.ts";
import { formatCount } from "../format.ts";

const MARKS: Readonly<Record<Finding["level"], string>> = {
  ok: "ok     ",
  warning: "warning",
  fault: "FAULT  ",
};

export const doctorCommand = defineCommand({
  description:
    "Checks the configuration, keys, permissions, clock, catalogue, manifest expiry, stores, subscriptions, last backups and public addresses. Changes nothing. Exit code 1 when there is a fault.",
  async run(context) {
    const findings = await runDoctor(await context.configuration(), Date.now());
    context.print(
      ...findings.map(
        ({ level, subject, message, remedy }) =>
          `${MARKS[level]}  ${subject}: ${message}${remedy === undefined ? "" : `; ${remedy}`}`,
      ),
    );
    const faults = findings.filter(({ level }) => level === "fault").length;
    if (faults > 0) {
      throw new CommandError(`${formatCount(faults, "fault")} found`, { findings });
    }
    context.json({ findings });
  },
});
