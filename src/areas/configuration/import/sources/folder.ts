import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { z } from 'zod'
import { parseExact } from '../../../../lib/lossless-json.ts'
import {
  CLASS_READER,
  ENGINE_RUBIES,
  ENVIRONMENT_SETTINGS,
  MANIFEST_SUFFIX,
  MODULES_FOLDER,
} from '../../../../words/class-reader.ts'
import { collectFiles, FILE } from '../delivered.ts'
import { type ClassSource, type Content, type RememberedContent, SourceError } from '../source.ts'

/**
 * Opens the classes in a folder of environments on this machine. They are parsed by the installed configuration engine,
 * which is started for the first environment that has changed.
 */
export function openFolderSource(
  folder: string,
  ruby = ENGINE_RUBIES.find((path) => existsSync(path)),
): ClassSource & AsyncDisposable {
  let tool: ClassTool | null = null
  const startTool = () => {
    if (ruby === undefined) throw new SourceError('the tools of the configuration engine are not installed here')
    tool ??= startClassTool(ruby)
    return tool
  }
  return {
    key: `folder:${folder}`,
    label: folder,
    smartProxyId: null,
    environments: () => withSourceErrors(folder, () => listFolders(folder)),
    read: (environment, known) => withSourceErrors(folder, () => read(join(folder, environment), known, startTool)),
    async [Symbol.asyncDispose]() {
      await tool?.[Symbol.asyncDispose]()
    },
  }
}

async function read(
  root: string,
  { hash: before }: RememberedContent,
  started: () => ClassTool,
): Promise<Content | 'unchanged'> {
  const manifests = await listManifests(root)
  const hash = await hashOf(manifests)
  if (hash === before) return 'unchanged'
  const files: z.infer<typeof FILE>[] = []
  for await (const line of started().read(manifests)) files.push(FILE.parse(parseExact(line)))
  return { hash, etag: null, delivered: collectFiles(files) }
}

/** Computes a digest of the contents of files. */
async function hashOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) {
    const text = await readFile(path)
    hash.update(`${path}\n${text.length}\n`).update(text)
  }
  return hash.digest('base64url')
}

/**
 * Lists the manifests of an environment and its modules. Of modules with the same name the first in the path counts, as
 * in the engine.
 */
async function listManifests(root: string): Promise<string[]> {
  const modules = new Map<string, string>()
  for (const path of await readModulePath(root)) {
    for (const name of await listNames(path)) if (!modules.has(name)) modules.set(name, join(path, name))
  }
  const found: string[] = []
  for (const folder of [root, ...modules.values()]) {
    const manifests = join(folder, 'manifests')
    for (const name of await listNames(manifests, { recursive: true }))
      if (name.endsWith(MANIFEST_SUFFIX)) found.push(join(manifests, name))
  }
  return found.sort()
}

/** Lists the names in a folder; empty when it is missing. */
async function listNames(folder: string, options: { readonly recursive?: true } = {}): Promise<string[]> {
  return existsSync(folder) && (await stat(folder)).isDirectory() ? readdir(folder, options) : []
}

/**
 * The module folders that the settings of an environment name, without those with variables, which are outside of it.
 */
async function readModulePath(root: string): Promise<string[]> {
  const settings = join(root, ENVIRONMENT_SETTINGS)
  const text = existsSync(settings) ? await readFile(settings, 'utf8') : ''
  const stated = [...text.matchAll(/^\s*modulepath\s*=\s*(.*?)\s*$/gm)].at(-1)?.[1]
  const folders = stated?.split(':').filter((folder) => folder !== '' && !folder.startsWith('$')) ?? [MODULES_FOLDER]
  return folders.map((folder) => resolve(root, folder))
}

async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name)
}

/** Turns errors of the file system into errors of the source. */
async function withSourceErrors<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === null) throw cause
    throw new SourceError(`${folder} cannot be read (${code})`, { cause })
  }
}

/** The running tool of the configuration engine that parses manifests. */
interface ClassTool extends AsyncDisposable {
  /** Yields a line of JSON about each file, in order. {@throws SourceError} when the tool ends early */
  read(paths: readonly string[]): AsyncGenerator<string>
}

/** The most characters of the tool's error output that a message quotes. */
const MOST_COMPLAINTS = 2000

/** Starts the tool once for all environments, because its start takes longer than reading one. */
function startClassTool(ruby: string): ClassTool {
  const tool = spawn(ruby, ['-e', CLASS_READER], { stdio: ['pipe', 'pipe', 'pipe'] })
  let complaints = ''
  tool.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(0, MOST_COMPLAINTS)
  })
  const ended = new Promise<string>((resolve) => {
    tool.once('error', ({ message }) => resolve(message))
    tool.once('close', (status) => resolve(`it ended with status ${status}: ${complaints.trim()}`))
  })
  tool.stdin.on('error', () => {}) // it has ended, which is told where its answers are read
  const lines = createInterface({ input: tool.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]()
  return {
    async *read(paths) {
      for (const path of paths) tool.stdin.write(`${JSON.stringify(path)}\n`)
      for (let read = 0; read < paths.length; read += 1) {
        const { value, done } = await lines.next()
        if (done) throw new SourceError(`the tools of the configuration engine failed: ${await ended}`)
        yield value
      }
    },
    async [Symbol.asyncDispose]() {
      tool.kill()
      await ended
    },
  }
}
