// Generated from examples/habits/src/style.css by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_STYLE_HASH =
  "auUw0omqzF6y8PQ08Ykr2puXe3zNEpqFZYt+ky8qmdM=";
