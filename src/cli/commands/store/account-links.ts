/** Links of the operator: how commands print them, and the commands of invitations and reset links. */
import { isLoopback } from "../../../contract/loopback.ts";
import { signInLinkAddress } from "../../../contract/sign-in-link.ts";
import { welcomeAddress } from "../../../contract/welcome.ts";
import type { IssuedAccountLink } from "../../../identity/account-links.ts";
import type { ListedLink } from "../../../identity/account/account-administration.ts";
import type { IssuedLink } from "../../../identity/sign-in-links.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  UsageError,
  type Command,
  type CommandContext,
  type StoreContext,
} from "../../command.ts";
import { formatCount, formatMinute, formatTable, formatTime } from "../../format.ts";
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
    "The link opens only on this machine: set `baseUrl` in the configuration to the address that people open, and create another link",
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
  "The first person to use it chooses the name and password, or a passkey: send it privately";

const REPLACED = ". The previous link no longer works";

export function printInvitation(output: Output, invitation: PrintedInvitation): void {
  printLink(output, invitation, describeUse(invitation));
}

/** What the operator has to know of a link, which is printed above it. */
export function describeUse({ expiresAt, isReplacement }: PrintedInvitation): string {
  const until = formatMinute(Date.parse(expiresAt));
  return `It works once, until ${until}. ${INVITATION_HINT}${isReplacement ? REPLACED : ""}`;
}

/** The options by which one command invites many. */
export const MANY_OPTIONS = {
  count: option(
    "N",
    "The number of links; the names are numbered: pupil-01, pupil-02 … A second run creates new links for names without an account",
  ),
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
  taken: readonly string[],
  isCsv: boolean,
): void {
  warnOfLoopback(warn, invitations[0]);
  const until = formatMinute(Date.parse(invitations[0]?.expiresAt ?? ""));
  const replaced = invitations.filter(({ isReplacement }) => isReplacement).length;
  const hints = [
    `Each link works once, until ${until}. ${INVITATION_HINT}`,
    ...(replaced > 0
      ? [
          `${formatCount(replaced, "earlier link")} of these names no longer ${replaced === 1 ? "works" : "work"}`,
        ]
      : []),
    ...(taken.length > 0
      ? [`These names already have an account and got no link: ${taken.join(", ")}`]
      : []),
  ];
  if (isCsv) {
    print(...toCsv(invitations));
    warn(...hints);
    return;
  }
  for (const { name, url } of invitations) print(name !== "" && name, url);
  print("", ...hints);
}

/** Spreadsheets take a value that begins with one of these characters for a formula, some also the wide ones. */
const FORMULA = /^[=+\-@＝＋－＠]/;

/** RFC 4180, with a heading. Every cell is quoted: in some countries a semicolon begins another one. */
function toCsv(invitations: readonly PrintedInvitation[]): string[] {
  const rows = invitations.map(({ name, address, url, expiresAt }) => [
    FORMULA.test(name) ? `'${name}` : name,
    address,
    url,
    formatMinute(Date.parse(expiresAt)),
  ]);
  const cells = [["name", "address", "link", "expires"], ...rows];
  return cells.map((row) => row.map(quoteCell).join(","));
}

function quoteCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export function defineResetLink({ resetLink, nameOptions, ...service }: AccountService): Command {
  return defineCommand({
    description: `For a person who forgot the password or lost every passkey. The person opens the link and chooses a new password or passkey. The link works once, for 7 days. ${resetLink.note} Until then nothing changes. A new link replaces the previous one.`,
    options: { ...nameOptions, ...resetLink.options },
    examples: [resetLink.example],
    async run(context) {
      const { link, ends, baseUrl } = await service.withAdministration(
        context,
        "change",
        async (administration) => ({
          ...(await resetLink.run(administration, context)),
          baseUrl: administration.settings.baseUrl,
        }),
      );
      const { id, username, secret, expiresAt, isReplacement } = link;
      const printed = { id, url: welcomeAddress(baseUrl, secret), username };
      printLink(
        context,
        { ...printed, expiresAt: formatTime(expiresAt) },
        `It works once, until ${formatMinute(expiresAt)}: send it to "${username}" privately. Using it ${ends}, and removes the account's passkeys${isReplacement ? REPLACED : ""}`,
      );
    },
  });
}

export function defineLinks({ withAdministration }: AccountService): Command {
  const list = (context: StoreContext) =>
    withAdministration(context, "read", ({ listLinks }) => listLinks());
  return {
    description: "The links themselves cannot be shown again: the store has only their hashes.",
    run: async (context) => printLinks(context, await list(context)),
    async runOnAll(context, instances) {
      const links: (ListedLink & { readonly instance: string })[] = [];
      for (const { name, configuration } of instances) {
        const found = await list({ ...context, configuration: async () => configuration });
        links.push(...found.map((link) => ({ ...link, instance: name })));
      }
      printLinks(context, links);
    },
  };
}

function printLinks(
  context: Output,
  links: readonly (ListedLink & { readonly instance?: string })[],
): void {
  const withInstance = (cell: string | undefined, cells: string[]) =>
    cell === undefined ? cells : [cell, ...cells];
  const rows = links.map(({ id, kind, username, expiresAt, instance }) =>
    withInstance(instance, [id, kind, username ?? "any", formatMinute(expiresAt)]),
  );
  const headings = withInstance(links[0]?.instance && "INSTANCE", [
    "ID",
    "KIND",
    "NAME",
    "EXPIRES",
  ]);
  context.print(
    ...(links.length === 0
      ? ["There is no valid invitation or reset link"]
      : formatTable([headings, ...rows])),
  );
  context.json({ links: links.map(toJson) });
}

function toJson({ expiresAt, ...link }: ListedLink): object {
  return { ...link, expiresAt: formatTime(expiresAt) };
}

export function defineRevokeLink({ name, withAdministration }: AccountService): Command {
  const list = `trellis ${name} account links`;
  return defineCommand({
    description: "The link stops working. Accounts are not changed.",
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
        throw new CommandError(`There is no valid link "${id}": see \`${list}\``);
      }
      context.print(`Revoked ${formatCount(revoked.length, "link")}`);
      context.json({ revoked: revoked.map(toJson) });
    },
  });
}
