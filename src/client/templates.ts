import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { membersOf, resultsOf } from '../lib/values.ts'
import { readRest } from './arguments.ts'
import type { Target } from './commands/contexts.ts'
import type { Session } from './commands/session.ts'
import { EXIT, Failure, usage } from './failure.ts'
import { ask, askWell } from './request.ts'
import { targetOf, withCommonFlags } from './taking.ts'

const FORM =
  'write it like this: millwright templates import FOLDER|ARCHIVE [--associate new|always|never] [--force], or templates export FOLDER'

/** Imports all templates of a folder or of an archive of one, or exports all into a folder. */
export async function runTemplates(session: Session, argv: readonly string[]): Promise<number> {
  const rest = readRest(argv, new Map([...withCommonFlags([]), ['associate', 'v'], ['force', '']]))
  session.use(rest.values)
  const [verb, path, ...others] = rest.words
  if ((verb !== 'import' && verb !== 'export') || path === undefined || others.length > 0) throw usage(FORM)
  if (verb === 'export') return exportAll(session, path)
  const options = {
    associate: rest.values.get('associate')?.at(-1) ?? 'new',
    force: rest.values.get('force')?.at(-1) === 'true',
  }
  return inFolderOf(path, (folder) => importAll(session, folder, options))
}

/** Does work in a folder: the one that was named, or one that an archive (as `git archive` writes it) is unpacked into. */
async function inFolderOf(path: string, work: (folder: string) => Promise<number>): Promise<number> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw usage(`${path} is neither a folder nor an archive`)
  if (found.isDirectory()) return work(path)
  const folder = mkdtempSync(join(tmpdir(), 'millwright-templates-'))
  try {
    unpack(path, folder)
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function unpack(archive: string, folder: string): void {
  try {
    execFileSync('tar', ['-xf', resolve(archive), '-C', folder, '--no-same-owner', '--no-same-permissions'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  } catch {
    throw usage(`${archive} is no archive that tar can unpack`)
  }
}

interface Options {
  readonly associate: string
  readonly force: boolean
}

async function importAll(session: Session, folder: string, options: Options): Promise<number> {
  const target = targetOf(session)
  // Symbolic links are left out: those in an archive of others may lead to any file.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.erb'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
  // What others take in comes first, so that a template is never there without its snippets.
  const sorted = files.toSorted((a, b) => Number(isSnippet(b)) - Number(isSnippet(a)))
  const refused: string[] = []
  let left = 0
  for (const file of sorted) {
    const said = await importOne(target, readFileSync(join(folder, file), 'utf8'), file, options)
    if (said === null) continue
    if (said === NOT_OURS) left++
    else refused.push(file)
    await session.warn(`${file}: ${said}`)
  }
  const counts = [
    [sorted.length - refused.length - left, 'imported'],
    [refused.length, 'refused'],
    [left, 'left out'],
  ] as const
  await session.write(
    `${counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ') || 'There is no template (*.erb) in it'}\n`,
  )
  return refused.length > 0 ? EXIT.refused : EXIT.done
}

const NOT_OURS = 'is of a kind that this service does not keep'

/** Imports one file. Yields why it was not, else null. */
async function importOne(target: Target, text: string, file: string, options: Options): Promise<string | null> {
  const kind = resourceOf(text, file)
  if (kind === null) return NOT_OURS
  const { status, body } = await ask(target, {
    method: 'POST',
    path: `/api/${kind}s/import`,
    body: { [kind]: { template: text }, options },
  })
  if (status < 400) return null
  const error = membersOf(membersOf(body).error)
  const sentences = Array.isArray(error.full_messages)
    ? error.full_messages.map(String)
    : [String(error.message ?? status)]
  return sentences.join(', ')
}

/** The resource that a file is for, by its description or else by its folder; null for reports and jobs. */
function resourceOf(text: string, file: string): 'provisioning_template' | 'ptable' | null {
  const head = text.slice(0, 5_000)
  const model = /^model:\s*['"]?(\w+)/m.exec(head)?.[1]
  if (model === 'Ptable' || /^kind:\s*['"]?ptable/m.test(head)) return 'ptable'
  if (model !== undefined) return model === 'ProvisioningTemplate' ? 'provisioning_template' : null
  if (/(?:^|\/)(?:report_templates|job_templates)\//.test(file) || /^kind:\s*['"]?(?:job_template|report)/m.test(head))
    return null
  return /(?:^|\/)partition_tables?_templates?\//.test(file) ? 'ptable' : 'provisioning_template'
}

function isSnippet(file: string): boolean {
  return /(?:^|\/)snippets?\//.test(file)
}

async function exportAll(session: Session, folder: string): Promise<number> {
  const target = targetOf(session)
  const written = new Set<string>()
  let count = 0
  for (const kind of ['provisioning_template', 'ptable']) {
    const { body } = await askWell(target, { method: 'GET', path: `/api/${kind}s?per_page=all` })
    const own = join(folder, kind === 'ptable' ? 'partition_tables_templates' : 'provisioning_templates')
    for (const { id, name, snippet, template_kind_name } of resultsOf(body)) {
      const { text } = await askWell(target, {
        method: 'GET',
        path: `/api/${kind}s/${id}/export`,
        accepts: 'text/plain',
      })
      const place = join(own, snippet === true ? 'snippet' : toFileName(String(template_kind_name ?? '')))
      mkdirSync(place, { recursive: true })
      const file = join(place, fileNameOf(String(name), Number(id)))
      const free = written.has(file) ? file.replace(/\.erb$/, `-${Number(id)}.erb`) : file
      written.add(free)
      writeFileSync(free, text)
      count++
    }
  }
  await session.write(`${count} exported to ${relative('.', folder) || '.'}\n`)
  return EXIT.done
}

/** The name of a file; the id keeps names apart that differ in what files cannot be named by. */
function fileNameOf(name: string, id: number): string {
  const plain = toFileName(name)
  if (plain === '') throw new Failure(EXIT.refused, `the template ${id} has no name`)
  return /^[\w -]+$/.test(name) ? `${plain}.erb` : `${plain}-${id}.erb`
}

function toFileName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}_-]+/gu, '_')
}
