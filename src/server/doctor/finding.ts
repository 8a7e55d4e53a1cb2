/** The result of one check. */
export interface Finding {
  readonly level: "ok" | "warning" | "fault";
  readonly subject: string;
  readonly message: string;
  /** What to do; absent when the check passed. */
  readonly remedy?: string;
}

export const ok = (subject: string, message: string): Finding => ({
  level: "ok",
  subject,
  message,
});
export const warning = (subject: string, message: string, remedy: string): Finding => ({
  level: "warning",
  subject,
  message,
  remedy,
});
export const fault = (subject: string, message: string, remedy: string): Finding => ({
  level: "fault",
  subject,
  message,
  remedy,
});
