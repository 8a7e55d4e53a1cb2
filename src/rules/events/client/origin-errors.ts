/** Why the address of a service is refused. */
export type OriginError =
  | "empty"
  | "characters"
  | "not-https"
  | "credentials"
  | "path"
  | "query"
  | "fragment"
  | "port"
  | "not-an-address"
  | "local-name"
  | "private-address"
  | "disguised-host";

/** The messages are for the person who typed the address. */
export const ORIGIN_ERRORS: Readonly<Record<OriginError, string>> = {
  empty: "Enter the address of the service",
  characters: "Remove spaces, backslashes and invisible or unusual characters from the address",
  "not-https": "Begin the address with https://",
  credentials: "Remove the username, the password and the @ from the address",
  path: "Remove everything after the host name, such as /calendar",
  query: "Remove the question mark and what follows it",
  fragment: "Remove the number sign and what follows it",
  port: "Remove the port: the service must be on the usual port 443",
  "not-an-address": "Check the address: it should look like https://planner.example.org",
  "local-name": "Enter a service on the internet, not one of this device or the local network",
  "private-address": "Enter a service on the internet, not an address of a private network",
  "disguised-host": "Write the host plainly, as in https://planner.example.org",
};
