import { defineCommand, option, type Command } from "../../command.ts";
import { PASSWORD_OPTION, readNewSecret } from "../../secret-input.ts";
import { NEW_KEY_OPTION, type AccountService } from "./account-service.ts";

export function defineAccountCreate({ create }: AccountService): Command {
  return defineCommand({
    description: `The password itself is not stored, only a verifier that cannot be used to sign in. The password needs at least 12 characters.${create.note}`,
    options: {
      username: option("NAME", "The username", { required: true }),
      ...PASSWORD_OPTION,
      ...create.options,
      ...NEW_KEY_OPTION,
    },
    examples: [create.example],
    async run(context) {
      const { username, "password-stdin": fromStdin } = context.options;
      const password = await readNewSecret(context, fromStdin, "password", "New password");
      const { message, json } = await create.run(context, username, password);
      context.print(message);
      context.json(json);
    },
  });
}
