import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { membersOf } from '../../lib/values.ts'
import { belowOf, COMMON, findCommand, findGroup, optionsOf, suggestKnown, takesRecord } from '../arguments.ts'
import { flagsOf } from '../call.ts'
import { EXIT, usage } from '../failure.ts'
import { type Group, loadManifest } from '../manifest.ts'
import { askWell } from '../request.ts'
import { chooseTarget, readContexts, type Target } from './contexts.ts'
import type { Jobs, Session } from './session.ts'
import { listSpecials } from './special.ts'

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_millwright() {
  local IFS=$'\\n'
  COMPREPLY=($(millwright __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  case "\${COMP_WORDS[COMP_CWORD]}" in [\\"\\']*) return;; esac
  local at; for at in "\${!COMPREPLY[@]}"; do COMPREPLY[at]=$(printf %q "\${COMPREPLY[at]}"); done
}
complete -o default -F _millwright millwright
`,
  zsh: `#compdef millwright
_millwright() {
  local -a found
  found=("\${(@f)$(millwright __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $compstate[quote] ]]; then compadd -- "\${(@)found}"; else compadd -Q -- "\${(@q)found}"; fi
}
compdef _millwright millwright
`,
  fish: `complete -c millwright -f -a '(millwright __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

/** Prints the completion script that a shell reads once. */
export async function printCompletion(session: Session, argv: readonly string[]): Promise<number> {
  const [shell = ''] = argv
  const script = SCRIPTS[shell]
  if (!script) throw usage(`completion is for a shell${suggestKnown(shell, Object.keys(SCRIPTS))}`)
  await session.write(script)
  return EXIT.done
}

/** Prints what could stand in place of the last word, one candidate a line; nothing where none is known. */
export async function complete(session: Session, argv: readonly string[], jobs: Jobs): Promise<number> {
  const words = argv[0] === '--' ? argv.slice(1) : argv
  const current = removeQuotes(words.at(-1) ?? '')
  const found = await listCandidates(session, words.slice(0, -1), current, jobs).catch(() => [])
  const fitting = [...new Set(found)].filter((each) => each.toLowerCase().startsWith(current.toLowerCase()))
  await session.write(
    fitting
      .slice(0, 500)
      .map((each) => `${each}\n`)
      .join(''),
  )
  return EXIT.done
}

/** Yields a word as the shell will read it: while it is typed, its quote is open, or its blanks have backslashes. */
function removeQuotes(word: string): string {
  return /^["']/.test(word) ? word.slice(1) : word.replace(/\\(.)/g, '$1')
}

async function listCandidates(
  session: Session,
  before: readonly string[],
  current: string,
  jobs: Jobs,
): Promise<string[]> {
  const plain = before.filter((word) => !word.startsWith('-'))
  const [first] = plain
  if (first === undefined && !current.startsWith('-')) return listFirstWords(jobs)
  if (first === 'completion') return Object.keys(SCRIPTS)
  if (first === 'context')
    return plain.length === 1 ? ['list', 'use', 'set'] : Object.keys(readContexts(session.env).contexts)
  const found = findGroup(plain)
  if (!found) return belowOf(first ?? '')
  const { group, length } = found
  const title = group.words[0] ?? ''
  if (plain.length === length) return actionsOf(group, title)
  const { command } = findCommand(plain)
  const flags = flagsOf(command, COMMON)
  const last = before.at(-1) ?? ''
  const option = last.startsWith('--') ? last.slice(2) : null
  if (option === 'search') return listSearches(session, command.group, current)
  if (option && flags.get(option) !== '') return listValues(session, option, command.group, optionsOf(command.action))
  if (current.startsWith('-')) return [...flags.keys()].map((flag) => `--${flag}`)
  return takesRecord(command.action.paths)
    ? namesOf(session, command.group)
    : [...flags.keys()].map((flag) => `--${flag}`)
}

function listFirstWords(jobs: Jobs): string[] {
  const groups = Object.values(loadManifest().groups).map(({ words }) => (words[0] ?? '').split(' ')[0] ?? '')
  return [
    ...groups,
    ...Object.keys(jobs).filter((name) => !name.startsWith('_')),
    ...loadManifest().server,
    'server',
  ].toSorted()
}

function actionsOf(group: Group, title: string): string[] {
  const jobs = listSpecials().flatMap(({ words }) =>
    words.filter((each) => each.startsWith(`${title} `)).map((each) => each.slice(title.length + 1)),
  )
  return [...Object.values(group.actions).map(({ words }) => words[0] ?? ''), ...belowOf(title), ...jobs]
}

function listValues(
  session: Session,
  flag: string,
  group: Group,
  options: ReturnType<typeof optionsOf>,
): Promise<string[]> | string[] {
  const option = options.find(([each]) => each === flag)
  if (flag === 'output') return ['table', 'json', 'yaml', 'csv', 'jsonl', 'name']
  if (flag === 'context') return Object.keys(readContexts(session.env).contexts)
  if (option?.[7]) return option[7].split('|')
  if (option?.[3] === 'b') return ['true', 'false']
  if (flag === group.label || flag === 'name') return namesOf(session, group)
  const other = findGroup([flag]) ?? findGroup([flag.replace(/s$/, '')])
  return other ? namesOf(session, other.group) : []
}

/** Yields what a search could go on with: fields, operators, values. Blanks and quotes are as they are mostly typed. */
async function listSearches(session: Session, { actions }: Group, search: string): Promise<string[]> {
  const path = actions['list']?.paths[0]
  if (!path || path.includes(':')) return []
  const target = chooseTarget(session.env, new Map())
  const parameters = new URLSearchParams({ search })
  const { body } = await askWell(target, { method: 'GET', path: `${path}/auto_complete_search?${parameters}` })
  if (!Array.isArray(body)) return []
  return body.map((offer) =>
    String(membersOf(offer)['part'] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/"([\w.-]+)"$/, '$1'),
  )
}

/** Yields names of records, which may be up to a minute old. */
async function namesOf(session: Session, { actions, label, words }: Group): Promise<string[]> {
  const path = actions['list']?.paths[0]
  if (!path || path.includes(':')) return []
  const target = chooseTarget(session.env, new Map())
  const file = cachePathOf(session, target, words[0] ?? '')
  const known = readCache(file)
  if (known) return known
  const parameters = new URLSearchParams({
    per_page: '200',
    ...(target.organization && { organization_id: target.organization }),
  })
  const { body } = await askWell(target, { method: 'GET', path: `${path}?${parameters}` })
  const { results } = membersOf(body)
  const names = Array.isArray(results)
    ? results.map((row) => String(membersOf(row)[label ?? 'name'] ?? '')).filter(Boolean)
    : []
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, names.join('\n'), { mode: 0o600 })
  return names
}

const KEPT_MS = 60_000

function cachePathOf({ env }: Session, { url, login = '' }: Target, word: string): string {
  const folder = env['XDG_CACHE_HOME'] || join(env['HOME'] || '.', '.cache')
  return join(folder, 'millwright', encodeURIComponent(`${url} ${login} ${word}`).slice(0, 200))
}

function readCache(file: string): string[] | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat || Date.now() - stat.mtimeMs > KEPT_MS) return null
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}
