import { EVENTS_REALM } from "../../../events/store.ts";
import { renameAccount } from "../../../identity/rename-account.ts";
import { option } from "../../command.ts";
import { formatTime } from "../../format.ts";
import {
  adoptionOf,
  expectAccountDone,
  type AccountService,
  type RenameService,
} from "../store/account-service.ts";
import {
  missingAccount,
  withEventsAdministration,
  type EventsAdministration,
} from "./open-store.ts";

const messagesFor = (username: string) => ({
  exists: `The account "${username}" exists already: change its password with \`trellis events account password\``,
  missing: missingAccount(username),
});

export const accounts: AccountService = {
  create: {
    note: " The time zone decides which date a time belongs to.",
    example: "trellis events account create --username ada --time-zone Europe/Berlin",
    options: {
      "time-zone": option(
        "ZONE",
        "Such as Europe/Berlin (default: events.timeZone of the configuration)",
      ),
    },
    run: (context, username, password) => {
      const createAccount = async (administration: EventsAdministration) => {
        const zone = context.options["time-zone"] as string | undefined;
        const result = await administration.createAccount(username, password, zone);
        expectAccountDone(result, messagesFor(username));
        const account = await administration.expectAccount(username);
        const { timeZone } = account;
        return {
          message: `Created the account "${account.username}" in the time zone ${timeZone}`,
          json: {
            username: account.username,
            timeZone,
            createdAt: formatTime(account.createdAt),
          },
        };
      };
      return withEventsAdministration(
        context,
        "create",
        createAccount,
        adoptionOf(context, "new-store"),
      );
    },
  },
  password: {
    note: " Apps keep their access; revoke it with `trellis events grants revoke --account NAME --all`.",
    options: {
      username: option("NAME", "The account", { required: true }),
    },
    signedOut: { noun: "browser", member: "endedSessions" },
    run: (context, password) => {
      const changePassword = async (administration: EventsAdministration) => {
        const username = context.options["username"] as string;
        const result = await administration.changePassword(username, password);
        const { account, endedSessions } = expectAccountDone(result, messagesFor(username));
        return { username: account.username, signedOut: endedSessions };
      };
      return withEventsAdministration(
        context,
        "change",
        changePassword,
        adoptionOf(context, "unbound-store"),
      );
    },
  },
};

export const rename: RenameService = {
  example: "trellis events account rename --username ada --to grace",
  note: "Browsers stay signed in, and apps keep their access.",
  options: { username: option("NAME", "The account", { required: true }) },
  findName: (context) =>
    withEventsAdministration(context, "change", async ({ expectAccount }) => {
      const account = await expectAccount(context.options["username"] as string);
      return account.username;
    }),
  rename: (context, before, after) =>
    withEventsAdministration(context, "change", ({ store: { database, instanceKey } }) =>
      renameAccount(database, { realm: EVENTS_REALM, instanceKey }, before, after),
    ),
};
