const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be too large for this disk",
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EEXIST: "its folder is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk is read-only",
  EIO: "the disk failed",
};

/** Why a file could not be written, in plain words; undefined for an error that is a bug. */
export function explainFileError(error: unknown): string | undefined {
  return REASONS[(error as NodeJS.ErrnoException).code ?? ""];
}
