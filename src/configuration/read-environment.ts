export type Environment = Readonly<Record<string, string | undefined>>;

/** No other module takes a setting from the environment of the process. */
export function readEnvironment(): Environment {
  return process.env;
}
