/** What settings of several sections are made of. */
import Type from "typebox";

export const closed = { additionalProperties: false } as const;
export const withDefault = <T>(value: T) => ({ default: value });

export function listen(port: number) {
  return Type.Optional(
    Type.Object(
      {
        host: Type.Optional(Type.String({ minLength: 1, ...withDefault("127.0.0.1") })),
        port: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 65_535,
            ...withDefault(port),
            description: "0 takes any free port",
          }),
        ),
      },
      { ...closed, ...withDefault({}), description: "Where the listener binds" },
    ),
  );
}

/** Marks a value that stays out of every output and may be given as a file. */
export const SECRET = { "x-secret": true } as const;

export const store = (address: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      ...SECRET,
      ...withDefault(address),
      description: "sqlite:PATH or a postgres:// address",
    }),
  );

export const instanceKeyFile = () =>
  Type.Optional(
    Type.String({
      minLength: 1,
      ...withDefault("./data/instance.key"),
      description: "32 secret bytes, made on first use; never inside the database it protects",
    }),
  );
