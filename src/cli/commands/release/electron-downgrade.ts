/** When a feed loses its newest release, electron-updater may take the one before for an update. */
export const ELECTRON_DOWNGRADE =
  "Except apps with electron-updater that set a channel: they go back to the release that is offered now, unless they set autoUpdater.allowDowngrade = false after it";
