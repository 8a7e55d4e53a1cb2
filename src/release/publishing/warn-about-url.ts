/** An address that ends in another name than the file is often the address of another file. */
export function warnAboutUrl(download: {
  readonly fileName: string;
  readonly url?: string;
}): string[] {
  const address = download.url === undefined ? null : URL.parse(download.url);
  const last = address?.pathname.split("/").at(-1) ?? "";
  if (address === null || last === download.fileName) return [];
  return [
    `The address ends in "${last}", but the file is "${download.fileName}": check that it leads to this file`,
  ];
}
