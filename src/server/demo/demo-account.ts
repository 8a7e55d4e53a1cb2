/** The account of the demo, in both services that have accounts. */
export const DEMO_USERNAME = "demo";
/** Long enough to be accepted. */
export const DEMO_PASSWORD = "demo-password";

/** The challenge of an unknown verifier: the pages work, but no code can be redeemed. */
export const DEMO_CODE_CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const DEMO_STATE = "a-state-of-the-demo-app";
