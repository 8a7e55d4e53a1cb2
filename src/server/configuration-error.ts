/** The message lists every error: the key, what is wrong, what was expected. */
export class ConfigurationError extends Error {
  readonly errors: readonly string[];

  constructor(source: string, errors: readonly string[]) {
    super(
      [`Cannot use the configuration ${source}:`, ...errors.map((error) => `  ${error}`)].join(
        "\n",
      ),
    );
    this.name = "ConfigurationError";
    this.errors = errors;
  }
}
