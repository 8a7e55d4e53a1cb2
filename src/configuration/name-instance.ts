/**
 * Commands in a hint, made those of one of several instances: `trellis sync status` becomes
 * `trellis sync status --instance ada`. The layers that write hints know no instances.
 */
export function nameInstance(text: string, instance: string): string {
  return text
    .replaceAll(/`trellis sync instance [a-z]+ NAME\b/g, (command) =>
      command.replace("NAME", () => instance),
    )
    .replaceAll(/`(trellis sync (?!instance\b)[a-z][^`]*)`/g, (quoted, command: string) =>
      command.includes("--instance") ? quoted : `\`${command} --instance ${instance}\``,
    );
}
