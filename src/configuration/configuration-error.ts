/** The message lists every error: the key, what is wrong, what was expected. */
export class ConfigurationError extends Error {
  readonly errors: readonly string[];
  readonly lines: readonly string[];

  constructor(source: string, errors: readonly string[]) {
    const lines = [
      `Cannot use the configuration ${source}:`,
      ...errors.map((error) => `  ${error}`),
    ];
    super(lines.join("\n"));
    this.lines = lines;
    this.name = "ConfigurationError";
    this.errors = errors;
  }
}
