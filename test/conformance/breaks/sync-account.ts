/** The account of the broken servers; one of them cheats with its password. */
export const ACCOUNT = { username: "ada", password: "correct horse battery" };
