/** What the tasks of all drivers share. */
import Type from "typebox";

/** Lets a client for https addresses meet a service on this machine. */
export const CONNECT_TO = Type.String({
  description: "where to send every request in place of its own origin, path and query unchanged",
});

export const choice = <const T extends string>(values: readonly T[], description: string) =>
  Type.Enum([...values], { type: "string", description });
