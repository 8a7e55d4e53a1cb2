import { signInLinkAddress } from "../../../contract/sign-in-link.ts";
import type { IssuedLink } from "../../../identity/sign-in-links.ts";
import type { CommandContext } from "../../command.ts";
import { formatTime } from "../../format.ts";

export const LINK_DESCRIPTION =
  "While strangers guess a password, a browser that never signed in has to wait even with the right one. The person opens the link in the browser of the new device and presses a button: that browser then no longer waits for the guesses of strangers. The password is needed all the same, and the link gives access to nothing. It works once, for ten minutes.";

export function printLink(
  { print, json }: Pick<CommandContext, "print" | "json">,
  baseUrl: string,
  { username, secret, expiresAt }: IssuedLink,
): void {
  const url = signInLinkAddress(baseUrl, secret);
  print(
    url,
    "",
    `Open it within ten minutes in the browser of the new device, press the button, then sign in as "${username}"`,
  );
  json({ url, username, expiresAt: formatTime(expiresAt) });
}
