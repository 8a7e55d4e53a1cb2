/** The configuration section of a service; a missing section fails the command. */
import type { ServiceName } from "../configuration/configuration.ts";
import type { Configuration } from "../configuration/configuration-schema.ts";
import { CommandError, type CommandContext } from "./command.ts";

export async function readSection<N extends ServiceName>(
  context: Pick<CommandContext, "configuration">,
  name: N,
): Promise<{
  readonly configuration: Configuration;
  readonly section: NonNullable<Configuration[N]>;
}> {
  const configuration = await context.configuration();
  const section = configuration[name];
  if (section === undefined) {
    throw new CommandError(
      `The configuration "${configuration.file}" has no "${name}" section: add one, \`{}\` is enough`,
    );
  }
  return { configuration, section };
}
