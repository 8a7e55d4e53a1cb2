/** What the consent page tells its script. */
export interface ConsentMessages {
  readonly working: string;
  readonly outdated: string;
  readonly throttled: string;
  readonly offline: string;
  readonly unanswered: string;
}

export interface ConsentData {
  readonly redirectUri: string;
  readonly delivery: "http" | "scheme";
  readonly messages: ConsentMessages;
}
