/** In the order of the panel that lists them. */
export const SHORTCUT_KEYS = ["n", "t", "j", "k", "x", "s", "o", "a", ",", "Esc", "?"] as const;
export type ShortcutKey = (typeof SHORTCUT_KEYS)[number];
