/** A file that is written in portions and passed to the browser when it is whole. */
export interface GrowingFile {
  readonly append: (text: string) => Promise<void>
  /** Passes the file to the browser as a download. */
  readonly save: () => Promise<void>
  /** Throws away what was written. */
  readonly drop: () => Promise<void>
}

const FOLDER = 'exports'
/** How long a download may take until its source is removed. */
const KEPT_MS = 3_600_000

/**
 * Opens a file on the disk, in the browser's own folder for this service, so that the page holds one portion at a time.
 * Where a browser has no such folder (without HTTPS), the portions are blobs, which it may move to the disk.
 */
export async function openGrowingFile(name: string, type: string): Promise<GrowingFile> {
  const folder = await openFolder().catch(() => null)
  if (folder === null) return openBlobs(name, type)
  await removeOld(folder)
  const own = crypto.randomUUID()
  const handle = await folder.getFileHandle(own, { create: true })
  const stream = await handle.createWritable()
  return {
    append: (text) => stream.write(text),
    save: async () => {
      await stream.close()
      const file = await handle.getFile()
      download(name, file.slice(0, file.size, type))
    },
    drop: async () => {
      await stream.abort()
      await folder.removeEntry(own)
    },
  }
}

async function openFolder(): Promise<FileSystemDirectoryHandle | null> {
  if (!('storage' in navigator) || !('createWritable' in FileSystemFileHandle.prototype)) return null
  return (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true })
}

/** Removes the sources of earlier downloads: nothing tells when a download has ended. */
async function removeOld(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    if (handle instanceof FileSystemFileHandle && Date.now() - (await handle.getFile()).lastModified > KEPT_MS)
      await folder.removeEntry(name).catch(() => undefined)
  }
}

function openBlobs(name: string, type: string): GrowingFile {
  const portions: Blob[] = []
  return {
    append: async (text) => {
      portions.push(new Blob([text]))
    },
    save: async () => download(name, new Blob(portions, { type })),
    drop: async () => {
      portions.length = 0
    },
  }
}

function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
