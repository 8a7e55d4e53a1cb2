/** How a secret comes in: typed without an echo, or as the first line of standard input. */
import { isCancel, password } from "@clack/prompts";
import { CommandError } from "./command.ts";

export async function askSecret(message: string): Promise<string> {
  const answer = await password({ message });
  if (isCancel(answer)) throw new CommandError("Cancelled, nothing was changed");
  // An empty answer comes as undefined.
  return answer ?? "";
}

/** Typed twice, because nobody sees what is typed. `what` is its plural: "passwords". */
export async function askNewSecret(message: string, again: string, what: string): Promise<string> {
  const first = await askSecret(message);
  if (first === "" || (await askSecret(again)) === first) return first;
  throw new CommandError(`The two ${what} differ: run the command again`);
}

/** Without its line end; spaces belong to it. */
export async function readFirstLine(stdin: NodeJS.ReadStream): Promise<string> {
  let text = "";
  stdin.setEncoding("utf8");
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return (text.split("\n")[0] ?? "").replace(/\r$/, "");
}
