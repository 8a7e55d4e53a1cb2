/** Line drawings on a grid of 24, in the colour of the text. */
const PATHS = {
  // Of habits
  drop: "M12 3.5c3.2 3.9 5.8 7 5.8 10.3a5.8 5.8 0 0 1-11.6 0C6.2 10.5 8.8 7.4 12 3.5z",
  book: "M12 6.5C10 5 7.4 4.6 4 4.6v13.6c3.4 0 6 .4 8 1.9 2-1.5 4.6-1.9 8-1.9V4.6c-3.4 0-6 .4-8 1.9zm0 0v13.6",
  walk: "M13.2 4.4a1.3 1.3 0 1 0 .01 0zM8.6 20.5l2.6-5.6-2-2.2 1.2-4.8 3-.5 2 2.7 2.6.9M10.4 7.9 7.6 9.6l-.5 3M11.2 14.9l2.9 2.2 1 3.6",
  leaf: "M19.5 4.5C11 4.2 5.2 7 5.2 12.6c0 3.4 2.3 5.7 5.5 5.7 6 0 8.9-5.6 8.8-13.8zM4.5 20.5c2.2-4.8 5-7.6 9.3-9.6",
  moon: "M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z",
  heart:
    "M12 19.8C6.4 16 3.8 13 3.8 9.5a4.2 4.2 0 0 1 8.2-1.6 4.2 4.2 0 0 1 8.2 1.6c0 3.5-2.6 6.5-8.2 10.3z",
  music:
    "M9.2 17.6V5.8l9.6-1.9v11.6M9.2 17.6a2.5 2.3 0 1 1-5 0 2.5 2.3 0 0 1 5 0zm9.6-2.1a2.5 2.3 0 1 1-5 0 2.5 2.3 0 0 1 5 0z",
  star: "m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z",
  sun: "M12 8.2a3.8 3.8 0 1 0 .01 0zM12 3.2v1.6m0 14.4v1.6M3.2 12h1.6m14.4 0h1.6M5.8 5.8l1.1 1.1m10.2 10.2 1.1 1.1m0-12.4-1.1 1.1M6.9 17.1l-1.1 1.1",
  cup: "M5 8.5h11v6.5a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4zm11 1.5h1.5a2.5 2.5 0 0 1 0 5H16M8.5 3.5v2m4-2v2",
  home: "M4 11.5 12 4.5l8 7M6.2 9.8v9.700h11.600V9.8M10 19.5v-5h4v5",
  bell: "M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM10 20.5h4M12 3.5v2",
  // Of imported tasks
  homework: "M6 3.8h9l3 3v13.4H6zM9 9.5h6M9 13h6M9 16.5h3.5",
  exam: "M4.5 19.5l.9-4L15.8 5.1a2 2 0 0 1 2.8 0l.3.3a2 2 0 0 1 0 2.8L8.5 18.6zM13.6 7.3l3.1 3.1",
  presentation:
    "M3.8 4.5h16.4M5.2 4.5v10h13.6v-10M12 14.5v3.2m-3.6 2.8 3.6-2.8 3.6 2.8M9 11.2v-1.6m3 1.6V7.8m3 3.4V9",
  task: "M5 4.5h14v15H5zM8.6 12.2l2.4 2.4 4.4-5",
  // Of the app
  check: "m5.5 12.6 4.3 4.3 8.7-9.6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  back: "M14.5 5.5 8 12l6.5 6.5",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  up: "m5.5 14.5 6.5-6.5 6.5 6.5",
  down: "m5.5 9.5 6.5 6.5 6.5-6.5",
  handle: "M5 8.5h14M5 12h14M5 15.5h14",
  skip: "M7 7l5 5-5 5m6-10 5 5-5 5",
  settings: "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.8v4.4M9 14.8v4.4",
  archive: "M4 5h16v4H4zm1.4 4v10.2h13.2V9M9.6 12.8h4.8",
  edit: "M4.5 19.5l.9-4L15.8 5.1a2 2 0 0 1 2.8 0l.3.3a2 2 0 0 1 0 2.8L8.5 18.6z",
  flame:
    "M12 20.2c-3.6 0-6-2.3-6-5.6 0-2.6 1.6-4.2 3-5.9 1.3-1.5 2.3-2.9 2.2-4.9 3.6 1.9 6.8 5.7 6.8 10.6 0 3.5-2.4 5.8-6 5.8z",
  synced:
    "M7.3 18.4a4.3 4.3 0 0 1-.5-8.6 5.4 5.4 0 0 1 10.4 0 4.3 4.3 0 0 1-.5 8.6zM9.4 13.6l1.9 1.9 3.4-3.6",
  offline:
    "M7.3 18.4a4.3 4.3 0 0 1-.5-8.6 5.4 5.4 0 0 1 10.4 0 4.3 4.3 0 0 1-.5 8.6zM4.5 4.5l15 16",
  waiting: "M12 3.8a8.2 8.2 0 1 0 .01 0zM12 7.6V12l3 2",
  device: "M7.5 3.5h9v17h-9zM10.8 17.6h2.4",
  attention: "M12 4.2 3.4 19.4h17.2zM12 9.8v4.4m0 2.4v.3",
  gift: "M4.5 10h15v10h-15zM3.5 6.5h17V10h-17zM12 6.5V20M12 6.5C9 6.5 7.5 5.6 7.8 4.4c.3-1.2 3.2-.9 4.2 2.1 1-3 3.9-3.3 4.2-2.1.3 1.2-1.2 2.1-4.2 2.1z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Those that a person can choose. */
export const HABIT_ICONS = [
  "star",
  "heart",
  "drop",
  "walk",
  "leaf",
  "book",
  "music",
  "cup",
  "sun",
  "moon",
  "home",
  "bell",
] as const;

/** Other apps have symbols of their own. */
export function toIconName(icon: string): IconName {
  return Object.hasOwn(PATHS, icon) ? (icon as IconName) : "star";
}
