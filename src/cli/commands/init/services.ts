/** Which services `init` sets up: those that are named, or whose options are given. */
import { SERVICES, type ServiceName } from "../../../configuration/configuration.ts";
import {
  UsageError,
  type OptionSpecs,
  type OptionValues,
  type PromptContext,
} from "../../command.ts";
import { expectNothingMissing } from "../../parse-command-line.ts";
import { askChoices } from "../../prompts.ts";
import { parseChoice } from "../release/parse-options.ts";
import { EVENTS_OPTIONS, SYNC_OPTIONS } from "./store-settings.ts";
import { RELEASE_OPTIONS } from "./release-settings.ts";

const LABELS: Readonly<Record<ServiceName, string>> = {
  release: "release: publish signed releases of an app",
  sync: "sync: sync a person's data between devices",
  events: "events: feed calendars to an app",
};

const OPTIONS: Readonly<Record<ServiceName, OptionSpecs>> = {
  release: RELEASE_OPTIONS,
  sync: SYNC_OPTIONS,
  events: EVENTS_OPTIONS,
};

/** The services that are named by `--service`, or else by their options, or else by the person. */
export async function chooseServices(context: PromptContext): Promise<readonly ServiceName[]> {
  const { options } = context;
  const named = (options["service"] as string[]).map((text) =>
    parseChoice("--service", text, SERVICES),
  );
  const implied = SERVICES.filter((service) => givenOption(options, service) !== undefined);
  if (named.length > 0) {
    const foreign = implied.find((service) => !named.includes(service));
    if (foreign !== undefined) {
      throw new UsageError(
        `--${givenOption(options, foreign)} is for the ${foreign} service: add --service ${foreign}, or leave it out`,
      );
    }
    return SERVICES.filter((service) => named.includes(service));
  }
  if (implied.length > 0) return implied;
  if (!context.isInteractive) {
    throw new UsageError(
      "Choose the services to set up: --service release, --service sync or --service events; it may be repeated",
    );
  }
  const choices = SERVICES.map((value) => ({ value, label: LABELS[value] }));
  const message = "Which services do you want to set up?";
  return askChoices(context, message, choices, ["release"], true);
}

function givenOption(options: OptionValues, service: ServiceName): string | undefined {
  return Object.keys(OPTIONS[service]).find((name) => isGiven(options[name]));
}

function isGiven(value: OptionValues[string]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** The options that must be given without a terminal. */
const REQUIRED: Readonly<Record<ServiceName, readonly string[]>> = {
  release: ["product NAME"],
  sync: ["sync-redirect-uri URI"],
  events: ["events-client-id ID", "events-redirect-uri URI"],
};

export function expectRequired(
  { isInteractive, options }: PromptContext,
  services: readonly ServiceName[],
): void {
  if (isInteractive) return;
  const missing = services
    .flatMap((service) => REQUIRED[service])
    .filter((label) => !isGiven(options[label.split(" ")[0] ?? ""]));
  expectNothingMissing(
    [],
    missing.map((label) => `--${label}`),
  );
}
