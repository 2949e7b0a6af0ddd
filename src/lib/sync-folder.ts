import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Has the disk take the names in a folder: a file that is synced can still be without its name after a loss of power. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return // where folders cannot be opened
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
