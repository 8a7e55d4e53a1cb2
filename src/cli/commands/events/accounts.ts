import { option, type OptionValues } from "../../command.ts";
import { formatTime } from "../../format.ts";
import { expectAccountDone, type AccountService } from "../store/account-service.ts";
import {
  missingAccount,
  withEventsAdministration,
  type EventsAdministration,
} from "./open-store.ts";

const messagesFor = (username: string) => ({
  exists: `The account "${username}" exists already: change its password with \`trellis events account password\``,
  missing: missingAccount(username),
});

const givenName = (options: OptionValues) => options["username"] as string;

export const eventsAccounts: AccountService<EventsAdministration> = {
  name: "events",
  withAdministration: withEventsAdministration,
  nameOptions: { username: option("NAME", "The account", { required: true }) },
  findName: async ({ expectAccount }, options) =>
    (await expectAccount(givenName(options))).username,
  create: {
    note: " The time zone decides which date a time belongs to.",
    example: "trellis events account create --username ada --time-zone Europe/Berlin",
    options: {
      "time-zone": option(
        "ZONE",
        "Such as Europe/Berlin (default: events.timeZone of the configuration)",
      ),
    },
    async run({ createAccount, expectAccount }, name, password, options) {
      const zone = options["time-zone"] as string | undefined;
      expectAccountDone(await createAccount(name, password, zone), messagesFor(name));
      const { username, timeZone, createdAt } = await expectAccount(name);
      return {
        message: `Created the account "${username}" in the time zone ${timeZone}`,
        json: { username, timeZone, createdAt: formatTime(createdAt) },
      };
    },
  },
  password: {
    note: " Apps keep their access; revoke it with `trellis events grants revoke --account NAME --all`.",
    signedOut: { noun: "browser", member: "endedSessions" },
    async run({ changePassword }, password, options) {
      const name = givenName(options);
      const result = expectAccountDone(await changePassword(name, password), messagesFor(name));
      return { username: result.account.username, signedOut: result.endedSessions };
    },
  },
  rename: {
    example: "trellis events account rename --username ada --to grace",
    note: "Browsers stay signed in, and apps keep their access.",
  },
};
