/** VitePress's own theme with the fonts of the system: nothing to download, and from no other place. */
export { default } from "vitepress/theme-without-fonts";
