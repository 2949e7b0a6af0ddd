import { closeSync, openSync, writeSync } from 'node:fs'
import { expect } from 'vitest'

/** Makes a file that leaves no room on its disk. */
export function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const size of [1 << 20, 1 << 12]) writeUntilFull(file, Buffer.alloc(size))
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  for (;;) {
    try {
      if (writeSync(file, bytes) < bytes.length) return
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
      return
    }
  }
}
