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
import { confirmOrFail, YES_OPTION } from "../../prompts.ts";
import { PASSWORD_OPTION, readNewSecret } from "../../secret-input.ts";
import { describeInvitation, printInvitation } from "./account-links.ts";
import {
  invalidUsername,
  type AccountAdministration,
  type AccountService,
} from "./account-service.ts";

const NEW_KEY_OPTION = {
  "new-instance-key": flag(
    "The store's instance key is lost: use the one at instanceKeyFile from now on, or make it",
  ),
} as const;

const INVITE_OPTION = {
  invite: flag(
    "Print a link by which the person chooses the name and password, or a passkey: valid once, for 7 days",
  ),
} as const;

export function defineAccountCreate({ create, withAdministration }: AccountService): Command {
  return defineCommand({
    description: `The password itself is not stored, only a verifier that cannot be used to sign in. The password needs at least 12 characters.${create.note}`,
    options: {
      username: option("NAME", "The username", { required: create.invite === undefined }),
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
        throw new UsageError("Give the name with --username, or make a link with --invite");
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
    options: { ...nameOptions, ...PASSWORD_OPTION, ...change.options, ...NEW_KEY_OPTION },
    async run(context) {
      const { options } = context;
      const password = await readNewSecret(context, "password", "New password");
      const { username, signedOut, passkeys, further } = await withAdministration(
        context,
        "change",
        (administration) => change.run(administration, password, context),
        options["new-instance-key"] ? "any-store" : "unbound-store",
      );
      const { noun, member } = change.signedOut;
      context.print(
        `"${username}" has a new password; ${formatCount(signedOut, noun)} must sign in again`,
        further?.message ?? false,
        // A stranger who knew the old password may have added one.
        passkeys > 0 &&
          `${formatCount(passkeys, "passkey")} can still sign in: a link of \`trellis ${service.name} account reset-link\` removes them`,
      );
      context.json({ username, [member]: signedOut, passkeys, ...further?.json });
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
      ...YES_OPTION,
    },
    examples: [rename.example],
    async run(context) {
      const { to } = context.options;
      const before = await withAdministration(context, "change", (administration) =>
        service.findName(administration, context.options),
      );
      await confirmOrFail(context, `This renames the account "${before}" to "${to}"`);
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
      return new CommandError(`There is no account "${before}" any more: nothing was changed`);
    case "locked":
      return new CommandError(
        `The password of "${before}" is encrypted with another instance key: set a new one with \`account password\` first`,
      );
  }
}
