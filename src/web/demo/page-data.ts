/** What the page of the demo passes to its script, and how the script calls the demo. */

export const CONTROL_PATH = "/control/";
export const TOKEN_HEADER = "X-Demo-Token";

export interface DemoDevice {
  readonly name: "phone" | "laptop";
  /** Of the app in the frame. */
  readonly origin: string;
}

export interface DemoPageData {
  readonly token: string;
  readonly devices: readonly DemoDevice[];
  readonly backupCreatedAt: string;
}
