/** Links of the operator: how commands print them, and the commands of invitations and reset links. */
import { isLoopback } from "../../../contract/loopback.ts";
import { signInLinkAddress } from "../../../contract/sign-in-link.ts";
import { welcomeAddress } from "../../../contract/welcome.ts";
import type { IssuedAccountLink } from "../../../identity/account-links.ts";
import type { ListedLink } from "../../../identity/link-administration.ts";
import type { IssuedLink } from "../../../identity/sign-in-links.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  UsageError,
  type Command,
  type CommandContext,
} from "../../command.ts";
import { formatCount, formatTable, formatTime } from "../../format.ts";
import type { AccountService } from "./account-service.ts";

type Output = Pick<CommandContext, "print" | "json" | "warn">;

interface PrintedLink {
  readonly url: string;
  readonly username: string | null;
  readonly expiresAt: string;
}

/** The link stands on a line of its own, so that it can be copied whole. */
function printLink({ print, json, warn }: Output, link: PrintedLink, hint: string): void {
  print(link.url, "", hint);
  warnOfLoopback(warn, link);
  json(link);
}

/** A service without a public address in its configuration has that of the machine. */
function warnOfLoopback(warn: Output["warn"], link: PrintedLink | undefined): void {
  if (link === undefined || !isLoopback(new URL(link.url).hostname)) return;
  warn(
    "The link opens only on this machine: set `baseUrl` in the configuration to the address that people open, and make another link",
  );
}

export function printSignInLink(
  output: Output,
  baseUrl: string,
  { username, secret, expiresAt }: IssuedLink,
): void {
  printLink(
    output,
    { url: signInLinkAddress(baseUrl, secret), username, expiresAt: formatTime(expiresAt) },
    `Open it within ten minutes in the browser of the new device, press the button, then sign in as "${username}"`,
  );
}

/** An invitation as it is printed, under the name by which the operator knows it. */
export interface PrintedInvitation extends PrintedLink {
  readonly name: string;
  readonly address: string;
  readonly id: string;
  readonly isReplacement: boolean;
}

export function describeInvitation(
  baseUrl: string,
  { secret, expiresAt, ...link }: IssuedAccountLink,
  name = link.username ?? "",
): PrintedInvitation {
  const url = welcomeAddress(baseUrl, secret);
  return { ...link, name, address: baseUrl, url, expiresAt: formatTime(expiresAt) };
}

const INVITATION_HINT =
  "The person who opens it first chooses the name and password, or a passkey: send it in private";

export function printInvitation(output: Output, invitation: PrintedInvitation): void {
  printLink(output, invitation, describeUse(invitation));
}

/** What the operator has to know of a link, which is printed above it. */
export function describeUse({ expiresAt, isReplacement }: PrintedInvitation): string {
  const replaced = isReplacement ? ". The link that was made before it does not work any more" : "";
  return `It works once, until ${expiresAt}. ${INVITATION_HINT}${replaced}`;
}

/** The options by which one command invites many. */
export const MANY_OPTIONS = {
  count: option("N", "How many; the names are numbered: pupil-01, pupil-02 …"),
  csv: flag("Print only a table for a spreadsheet: name, address, link, expiry"),
} as const;

const MAX_COUNT = 500;

/** The names of one, or of as many as were asked for. */
export function numberNames(name: string, count: string | undefined): string[] {
  if (count === undefined) return [name];
  const total = /^[1-9]\d{0,2}$/.test(count) ? Number(count) : Infinity;
  if (total > MAX_COUNT) {
    throw new UsageError(`--count must be a number from 1 to ${MAX_COUNT}, not "${count}"`);
  }
  const digits = String(total).length;
  return Array.from(
    { length: total },
    (_, index) => `${name}-${String(index + 1).padStart(Math.max(2, digits), "0")}`,
  );
}

export function expectOneFormat(isCsv: boolean, isJson: boolean): void {
  if (isCsv && isJson) throw new UsageError("Give --csv or --json, not both");
}

/** Prints the links of many: with `csv` as a table and nothing else, or else below their names. */
export function printInvitations(
  { print, warn }: Pick<CommandContext, "print" | "warn">,
  invitations: readonly PrintedInvitation[],
  isCsv: boolean,
): void {
  warnOfLoopback(warn, invitations[0]);
  const hint = `Each link works once, until ${invitations[0]?.expiresAt}. ${INVITATION_HINT}`;
  if (isCsv) {
    print(...toCsv(invitations));
    warn(hint);
    return;
  }
  for (const { name, url } of invitations) print(name !== "" && name, url);
  print("", hint);
}

/** Spreadsheets take a value that begins with one of these characters for a formula, some also the wide ones. */
const FORMULA = /^[=+\-@＝＋－＠]/;

/** RFC 4180, with a heading. Every cell is quoted: in some countries a semicolon begins another one. */
function toCsv(invitations: readonly PrintedInvitation[]): string[] {
  const rows = invitations.map(({ name, address, url, expiresAt }) => [
    FORMULA.test(name) ? `'${name}` : name,
    address,
    url,
    expiresAt,
  ]);
  const cells = [["name", "address", "link", "expires"], ...rows];
  return cells.map((row) => row.map(quoteCell).join(","));
}

function quoteCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export function defineResetLink({ resetLink, nameOptions, ...service }: AccountService): Command {
  return defineCommand({
    description: `For a person who forgot the password, or lost every passkey. The person opens the link, which works once and for 7 days, and chooses a new password or passkey. ${resetLink.note} Until then everything stays as it is. A new link replaces the one before it.`,
    options: { ...nameOptions, ...resetLink.options },
    examples: [resetLink.example],
    async run(context) {
      const { link, baseUrl } = await service.withAdministration(
        context,
        "change",
        async (administration) => ({
          link: await resetLink.run(administration, context),
          baseUrl: administration.settings.baseUrl,
        }),
      );
      const { id, username, secret, expiresAt } = link;
      const printed = { id, url: welcomeAddress(baseUrl, secret), username };
      printLink(
        context,
        { ...printed, expiresAt: formatTime(expiresAt) },
        `It works once, until ${formatTime(expiresAt)}: send it to "${username}" in private. Using it ${resetLink.ends}, and removes the account's passkeys`,
      );
    },
  });
}

export function defineLinks({ withAdministration }: AccountService): Command {
  return defineCommand({
    description:
      "Invitations and reset links that can still be used. The links themselves cannot be shown again: the store has only their hashes.",
    async run(context) {
      const links = await withAdministration(context, "read", ({ listLinks }) => listLinks());
      context.print(
        ...(links.length === 0
          ? ["There is no invitation and no reset link that can be used"]
          : formatTable([["ID", "KIND", "NAME", "EXPIRES"], ...links.map(describeRow)])),
      );
      context.json({ links: links.map(toJson) });
    },
  });
}

function describeRow({ id, kind, username, expiresAt }: ListedLink): string[] {
  return [id, kind, username ?? "any", formatTime(expiresAt)];
}

function toJson({ expiresAt, ...link }: ListedLink): object {
  return { ...link, expiresAt: formatTime(expiresAt) };
}

export function defineRevokeLink({ name, withAdministration }: AccountService): Command {
  const list = `trellis ${name} account links`;
  return defineCommand({
    description: "The link does not work any more. An account stays as it is.",
    arguments: { id: { description: `The id, as \`${list}\` shows it`, isId: true } },
    options: { all: flag("Revoke every invitation and reset link") },
    examples: [`trellis ${name} account revoke-link --all`],
    async run(context) {
      const { id } = context.args;
      if ((id === undefined) === !context.options.all) {
        throw new UsageError("Name one link by its id, or give --all");
      }
      const revoked = await withAdministration(context, "change", ({ revokeLinks }) =>
        revokeLinks(id ?? null),
      );
      if (id !== undefined && revoked.length === 0) {
        throw new CommandError(`There is no link "${id}" that can be used: see \`${list}\``);
      }
      context.print(`Revoked ${formatCount(revoked.length, "link")}`);
      context.json({ revoked: revoked.map(toJson) });
    },
  });
}
