/** The manual page trellis(1) of the Debian package, made from the command table. */
import { COMMON_OPTIONS, optionLabel } from "../src/cli/parse-command-line.ts";
import { rootCommand } from "../src/cli/commands/root.ts";
import { PRODUCT_VERSION } from "../src/database/product-version.ts";
import { listCommands } from "./reference/commands.ts";

type Entry = readonly [label: string, description: string];

export function renderManPage(date: Date): string {
  const day = date.toISOString().slice(0, 10);
  return [
    `.TH TRELLIS 1 "${day}" "Trellis ${escape(PRODUCT_VERSION)}" "User Commands"`,
    ".SH NAME",
    "trellis \\- signed releases, personal sync and event feeds",
    ".SH SYNOPSIS",
    ".B trellis",
    ".I command",
    "[\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    escape(`${rootCommand.summary}. Every command says what it takes:`),
    ".PP",
    ".B trellis \\fIcommand\\fB \\-\\-help",
    ".SH COMMANDS",
    ...renderEntries(listCommands().map(({ name, entry }) => [`trellis ${name}`, entry.summary])),
    ".SH OPTIONS",
    "Those that every command has:",
    ...renderEntries(
      Object.entries(COMMON_OPTIONS).map(([name, spec]) => [
        optionLabel(name, spec),
        spec.description,
      ]),
    ),
    ".SH SYSTEM SERVICE",
    escape(
      "The package has the service trellis.service, which is neither enabled nor started until it is told to. Commands that open a store run as its user, in the folder of its configuration:",
    ),
    ".PP",
    ".nf",
    ...[
      "cd /etc/trellis",
      "sudo -u trellis trellis sync account create --username ada",
      "sudo systemctl enable --now trellis",
      "sudo -u trellis trellis doctor",
    ].map(escape),
    ".fi",
    ".SH FILES",
    ...renderEntries([
      ["/etc/trellis/trellis.config.json", "The configuration of the service."],
      ["/etc/default/trellis", "Environment variables of the service; may be missing."],
      [
        "/var/lib/trellis",
        "Stores, the instance key and signing keys. Removing or purging the package keeps it.",
      ],
    ]),
    "",
  ].join("\n");
}

function renderEntries(entries: readonly Entry[]): string[] {
  return entries.flatMap(([label, description]) => [
    ".TP",
    `.B ${escape(label)}`,
    escape(description),
  ]);
}

/** A hyphen of a command is a minus, and a line must not begin with a request. */
function escape(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
}
