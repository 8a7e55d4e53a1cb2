/** The account commands that sync and events share. */
import { renameAccount, type RenameResult } from "../../../identity/rename-account.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  UsageError,
  type Command,
  type OptionValues,
} from "../../command.ts";
import { formatCount } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { PASSWORD_OPTION, readNewSecret } from "../../secret-input.ts";
import { describeInvitation, printInvitation } from "./account-links.ts";
import {
  invalidUsername,
  type AccountAdministration,
  type AccountService,
} from "./account-service.ts";

const NEW_KEY_OPTION = {
  "new-instance-key": flag(
    "If the store's instance key is lost: use the one at instanceKeyFile from now on, or create it",
  ),
} as const;

const KEEP_OPTION = {
  "keep-passkeys": flag("Keep the account's passkeys (default: remove them)"),
} as const;

const INVITE_OPTION = {
  invite: flag(
    "Print a link with which the owner chooses a name and a password or passkey; it works once, for 7 days",
  ),
} as const;

export function defineAccountCreate({ create, withAdministration }: AccountService): Command {
  return defineCommand({
    description: `The password itself is not stored, only a verifier that cannot be used to sign in. The password needs at least 12 characters.${create.note}`,
    options: {
      username: option(
        "NAME",
        `The username${create.invite === undefined ? "" : "; with --invite, a suggestion"}`,
        { required: create.invite === undefined },
      ),
      ...(create.invite !== undefined && INVITE_OPTION),
      ...PASSWORD_OPTION,
      ...create.options,
      ...NEW_KEY_OPTION,
    },
    examples: [create.example],
    async run(context) {
      const { options } = context;
      const { username } = options;
      const adoption = options["new-instance-key"] ? "any-store" : "new-store";
      if (create.invite !== undefined && (options as OptionValues)["invite"] === true) {
        if (options["password-stdin"]) {
          throw new UsageError("Give --invite or --password-stdin, not both");
        }
        const { invite } = create;
        const run = async (administration: AccountAdministration) => {
          const link = await invite(administration, username ?? null);
          return describeInvitation(administration.settings.baseUrl, link);
        };
        printInvitation(context, await withAdministration(context, "create", run, adoption));
        return;
      }
      if (username === undefined) {
        throw new UsageError("Give the name with --username, or create a link with --invite");
      }
      const password = await readNewSecret(context, "password", "New password");
      const { message, json } = await withAdministration(
        context,
        "create",
        (administration) => create.run(administration, username, password, options),
        adoption,
      );
      context.print(message);
      context.json(json);
    },
  });
}

export function defineAccountPassword(service: AccountService): Command {
  const { nameOptions, password: change, withAdministration } = service;
  return defineCommand({
    description: `The old password is not needed: this command already requires access to the store.${change.note}`,
    options: {
      ...nameOptions,
      ...PASSWORD_OPTION,
      ...KEEP_OPTION,
      ...change.options,
      ...NEW_KEY_OPTION,
    },
    async run(context) {
      const { options } = context;
      const password = await readNewSecret(context, "password", "New password");
      const { username, signedOut, removedPasskeys, further } = await withAdministration(
        context,
        "change",
        (administration) => change.run(administration, password, options["keep-passkeys"], context),
        options["new-instance-key"] ? "any-store" : "unbound-store",
      );
      const { noun, member } = change.signedOut;
      context.print(
        `"${username}" has a new password; ${formatCount(signedOut, noun)} must sign in again`,
        further?.message ?? false,
        removedPasskeys > 0 && `Removed ${formatCount(removedPasskeys, "passkey")}`,
      );
      context.json({ username, [member]: signedOut, removedPasskeys, ...further?.json });
    },
  });
}

export function defineAccountRename(service: AccountService): Command {
  const { name: realm, nameOptions, rename, withAdministration } = service;
  return defineCommand({
    description: `The password stays the same. ${rename.note} The next sign-in needs the new name.`,
    options: {
      ...nameOptions,
      to: option("NAME", "The new username", { required: true }),
      ...PLAN_OPTIONS,
    },
    examples: [rename.example],
    async run(context) {
      const { to } = context.options;
      const before = await withAdministration(context, "change", (administration) =>
        service.findName(administration, context.options),
      );
      const consequence = `This renames the account "${before}" to "${to}"`;
      await confirmPlan(context, { consequence, plan: { before, username: to } });
      const result = await withAdministration(context, "change", ({ store }) =>
        renameAccount(store.database, { realm, instanceKey: store.instanceKey }, before, to),
      );
      if (result.kind !== "done") throw toCommandError(result, before, to);
      context.print(`"${result.before}" is now "${result.username}"`);
      context.json({ before: result.before, username: result.username });
    },
  });
}

function toCommandError(
  { kind }: Exclude<RenameResult, { readonly kind: "done" }>,
  before: string,
  to: string,
): CommandError {
  switch (kind) {
    case "invalid-username":
      return invalidUsername();
    case "account-exists":
      return new CommandError(`There is already an account "${to}": choose another name`);
    case "no-account":
      return new CommandError(`The account "${before}" no longer exists: nothing was changed`);
    case "locked":
      return new CommandError(
        `The password of "${before}" is encrypted with another instance key: set a new one with \`account password\` first`,
      );
  }
}
