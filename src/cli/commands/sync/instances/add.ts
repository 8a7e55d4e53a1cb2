import { mkdir } from "node:fs/promises";
import { isIP } from "node:net";
import { INSTANCE_NAME_PATTERN } from "../../../../configuration/sync-section.ts";
import {
  adoptSingleStore,
  findSingleStore,
  type SingleStore,
} from "../../../../hosting/adopt-store.ts";
import { claimKeyOfHost } from "../../../../identity/key-of-host.ts";
import { listUsed } from "../../../../hosting/instance-rows.ts";
import {
  changeRegistry,
  checkRegistry,
  isInDatabase,
} from "../../../../configuration/instance-registry.ts";
import { resolveInstance, type Instance } from "../../../../configuration/instance.ts";
import { CommandError, defineCommand, flag, option, UsageError } from "../../../command.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import {
  describeUse,
  expectOneFormat,
  MANY_OPTIONS,
  numberNames,
  printInvitations,
} from "../../store/account-links.ts";
import { applyOptions, INSTANCE_OPTIONS } from "./instance-options.ts";
import { expectNoStore, inviteToInstances, type AddedInstance } from "./invite.ts";
import { expectRegistry, explainSettings, type InstancesContext } from "./registry.ts";

export const command = defineCommand({
  description:
    "A running server serves the instance within a second; a server that had one instance without a name must be restarted once. Then create the account with `trellis sync account create --instance NAME`, or let its owner do so with --invite: the link works once, for 7 days. If the invitation cannot be created, nothing is added. With --invite, an existing instance without an account gets a new link.",
  arguments: {
    name: {
      description:
        "Lower-case letters, digits and hyphens; with --count, the beginning of the names",
      required: true,
    },
  },
  options: {
    "base-url": option(
      "URL",
      "The public address, with a host of its own; `{name}` stands for the name (default: the name before the host of `sync.baseUrl`)",
    ),
    ...INSTANCE_OPTIONS,
    invite: flag("Print a link with which the owner chooses a name and a password or passkey"),
    ...MANY_OPTIONS,
    adopt: flag(
      "Use the files in the instance's folder, or else the one instance without a name of this server",
    ),
  },
  examples: [
    "trellis sync instance add ada --base-url https://ada.sync.example.com",
    "trellis sync instance add pupil --invite --count 30 --csv > pupils.csv",
  ],
  async run(context) {
    const { options } = context;
    const { adopt, invite, count, csv } = options;
    if (adopt && (invite || count !== undefined)) {
      throw new UsageError("Give --adopt without --invite and --count");
    }
    if (csv && !invite) throw new UsageError("--csv prints the links of --invite: give both");
    expectOneFormat(csv, context.isJson);
    const names = numberNames(context.args.name, count);
    for (const name of names) expectInstanceName(name);
    const instances = await expectRegistry(context);
    const address = options["base-url"] ?? deriveAddress(instances.sync.baseUrl);
    // An invitation that was lost or has expired is made again for an instance that is there.
    const known = invite ? findInstances(instances, names) : [];
    const added = await addInstances(
      instances,
      names
        .filter((name) => !known.some((instance) => instance.name === name))
        .map((name) => {
          const baseUrl = address.replaceAll("{name}", name);
          return { name, settings: applyOptions({ baseUrl }, { ...options, "base-url": baseUrl }) };
        }),
      { adopt, invite },
    );
    const { invitations, taken } = invite
      ? await inviteToInstances(context, instances, known, added)
      : { invitations: [], taken: [] };
    if (invite && invitations.length === 0) {
      throw new CommandError(
        `No link was created, because there is an account already: if its owner forgot the password, run \`trellis sync account reset-link --instance ${taken[0]}\``,
      );
    }
    if (!csv) {
      for (const { name, settings } of added) {
        context.print(
          `Added the instance "${name}" at ${settings.baseUrl}`,
          !adopt &&
            !invite &&
            `Create its account: trellis sync account create --instance ${name} --username NAME`,
        );
      }
    }
    const [first] = invitations;
    if (first !== undefined && count === undefined && !csv) {
      context.print(first.url, "", describeUse(first));
    } else if (invite) printInvitations(context, invitations, taken, csv);
    const described = [...known, ...added]
      .filter(({ name }) => !taken.includes(name))
      .map(({ name, settings, instance }) => ({
        name,
        ...settings,
        folder: instance.dataDir,
        ...(invite && { invitation: invitations.find((invited) => invited.name === name) }),
      }));
    context.json(count === undefined ? described[0] : { instances: described, taken });
  },
});

/** Those of the names that are instances of the server already. */
function findInstances(
  { sync, dataDir, loaded }: InstancesContext,
  names: readonly string[],
): AddedInstance[] {
  const present = loaded?.instances ?? {};
  return names.flatMap((name) => {
    const settings = Object.hasOwn(present, name) ? present[name] : undefined;
    return settings === undefined
      ? []
      : [{ name, settings, instance: resolveInstance(name, settings, sync, dataDir) }];
  });
}

type NewInstance = Omit<AddedInstance, "instance">;

/** Adds all of them in one change of the registry, or none. */
async function addInstances(
  instances: InstancesContext,
  given: readonly NewInstance[],
  { adopt, invite }: { readonly adopt: boolean; readonly invite: boolean },
): Promise<AddedInstance[]> {
  if (given.length === 0) return [];
  const { sync, dataDir, loaded } = instances;
  const settingsByName = Object.fromEntries(given.map(({ name, settings }) => [name, settings]));
  for (const { name } of given) {
    if (Object.hasOwn(loaded?.instances ?? {}, name)) throw existsError(name);
  }
  // The registry is checked before any file is moved.
  await explainSettings("Nothing was added", async () =>
    checkRegistry({ ...loaded?.instances, ...settingsByName }, dataDir, sync),
  );
  const added = given.map(({ name, settings }) => ({
    name,
    settings,
    instance: resolveInstance(name, settings, sync, dataDir),
  }));
  if (!adopt) await expectNothingUnnamed(instances);
  const used = await explainStoreErrors(() =>
    listUsed(
      added.map(({ instance }) => instance),
      sync.store,
    ),
  );
  const [present] = used;
  if (!adopt && present !== undefined) throw usedError(present, sync);
  for (const { instance } of added) {
    if (adopt && present === undefined) await adoptUnnamed(instance, instances);
    if (invite) expectNoStore(instance);
  }
  if (isInDatabase(sync)) await explainStoreErrors(() => claimKeyOfHost(sync));
  else {
    // A server makes a store only in a folder that is there.
    for (const { instance } of added) await mkdir(instance.dataDir, PRIVATE_FOLDER);
  }
  await changeRegistry(dataDir, sync, (present) => {
    for (const { name } of given) if (Object.hasOwn(present, name)) throw existsError(name);
    return { ...present, ...settingsByName };
  });
  return added;
}

const PRIVATE_FOLDER = { recursive: true, mode: 0o700 };

/** A name of its own below that of the server, which a wildcard in the DNS and the certificate serves. */
function deriveAddress(baseUrl: string): string {
  const { protocol, host, hostname } = new URL(baseUrl);
  if (isIP(hostname) !== 0 || hostname.startsWith("[")) {
    throw new UsageError(
      `Give the public address with --base-url: a name cannot be put before the host of \`sync.baseUrl\`, "${baseUrl}"`,
    );
  }
  return `${protocol}//{name}.${host}`;
}

const NAME = new RegExp(INSTANCE_NAME_PATTERN);

export function expectInstanceName(name: string): void {
  if (NAME.test(name)) return;
  throw new UsageError(
    `The name of an instance has 1 to 63 lower-case letters, digits and hyphens, and begins with no hyphen: not "${name}"`,
  );
}

export function existsError(name: string): CommandError {
  return new CommandError(
    `There is already an instance "${name}": change it with \`trellis sync instance change\`, invite its owner with \`trellis sync account create --invite --instance ${name}\`, or choose another name`,
  );
}

async function adoptUnnamed(instance: Instance, instances: InstancesContext): Promise<void> {
  const { sync, dataDir } = instances;
  if ((await findUnnamed(instances)) === null) {
    throw new CommandError(
      isInDatabase(sync)
        ? `There is nothing to adopt: the database of \`sync.store\` has neither an instance "${instance.name}" nor one without a name; omit --adopt`
        : `There is nothing to adopt: copy the folder of the instance to "${instance.dataDir}" first, or omit --adopt`,
    );
  }
  await explainStoreErrors(() => adoptSingleStore(instance, sync, dataDir));
}

function usedError({ name, dataDir }: Instance, sync: InstancesContext["sync"]): CommandError {
  return new CommandError(
    isInDatabase(sync)
      ? `The database has the data of an instance "${name}" that is in no list: use it with --adopt, or choose another name`
      : `"${dataDir}" has the files of an instance: use them with --adopt, or move them away`,
  );
}

/** The first named instance takes the place of the one without a name, whose devices would be lost. */
async function expectNothingUnnamed(instances: InstancesContext): Promise<void> {
  const single = await findUnnamed(instances);
  if (single === null) return;
  const [place, advice] =
    single.kind === "file"
      ? [`its store at "${single.path}"`, "move the file away"]
      : ["its rows in the database of `sync.store`", "name another database there"];
  throw new CommandError(
    `This server has one instance without a name, with ${place}, which would no longer be served: make it the first named one with --adopt, or ${advice}`,
  );
}

/** The store of the one instance without a name; null when there is none. */
function findUnnamed({ loaded, sync }: InstancesContext): Promise<SingleStore | null> {
  return loaded === null
    ? explainStoreErrors(() => findSingleStore(sync.store))
    : Promise.resolve(null);
}
