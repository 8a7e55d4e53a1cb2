/** The account and the app of the broken events services. */
export const ACCOUNT = { username: "ada", password: "correct horse battery" };
export const APP = {
  id: "conformance",
  name: "Conformance",
  redirectUris: ["http://localhost:43823/callback"],
};
