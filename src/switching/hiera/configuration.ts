import { z } from 'zod'
import { Failure } from '../../errors.ts'
import { type PathPattern, parsePattern } from './path-pattern.ts'
import { readDocument } from './read-document.ts'

const TEXTS = z.array(z.string().min(1)).min(1)

/** A level of `hiera.yaml`, or what all levels have. */
const LEVEL = z.looseObject({
  name: z.string().optional(),
  datadir: z.string().optional(),
  path: z.string().min(1).optional(),
  paths: TEXTS.optional(),
  glob: z.string().min(1).optional(),
  globs: TEXTS.optional(),
})

const CONFIGURATION = z.looseObject({
  version: z.literal(5),
  defaults: LEVEL.optional(),
  hierarchy: z.array(LEVEL).default([{ name: 'Common', path: 'common.yaml' }]),
  default_hierarchy: z.array(LEVEL).optional(),
})

type Sent = z.infer<typeof LEVEL>

/** A place in the hierarchy: the files that a path or glob of a level names. */
export interface Level {
  readonly name: string
  readonly datadir: string
  readonly pattern: PathPattern
}

/** A part of the configuration that has no counterpart. */
export interface LeftLevel {
  readonly name: string
  readonly reason: string
}

/** The hierarchy, the highest level first. */
export interface Hierarchy {
  readonly levels: readonly Level[]
  readonly left: readonly LeftLevel[]
}

const ENDS = ['data_hash', 'lookup_key', 'data_dig', 'hiera3_backend'] as const
const READ = ['yaml_data', 'json_data', 'eyaml_lookup_key']

/** Reads `hiera.yaml`. {@throws Failure} malformed */
export function readConfiguration(text: string): Hierarchy {
  const parsed = CONFIGURATION.safeParse(readDocument('hiera.yaml', text).value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Failure(
      'malformed',
      `hiera.yaml is no configuration of version 5: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`,
    )
  }
  const { defaults = {}, hierarchy, default_hierarchy } = parsed.data
  const read = hierarchy.map((sent, at) => readLevel(sent, defaults, at))
  return {
    levels: read.flatMap(({ levels }) => levels),
    left: [
      ...read.flatMap(({ left }) => left),
      ...(default_hierarchy ? [{ name: 'default_hierarchy', reason: 'it has no counterpart' }] : []),
    ],
  }
}

function readLevel(sent: Sent, defaults: Sent, at: number): Hierarchy {
  const name = sent.name ?? `level ${at + 1}`
  const datadir = sent.datadir ?? defaults.datadir ?? 'data'
  const reason = findUnread(sent, defaults, datadir)
  if (reason !== null) return { levels: [], left: [{ name, reason }] }
  const named = [
    ...[sent.path, ...(sent.paths ?? [])].map((text) => ({ text, isGlob: false })),
    ...[sent.glob, ...(sent.globs ?? [])].map((text) => ({ text, isGlob: true })),
  ]
  const found = named.flatMap(({ text, isGlob }) => (text === undefined ? [] : [parsePattern(text, isGlob)]))
  return {
    levels: found.flatMap((one) => ('reason' in one ? [] : [{ name, datadir, pattern: one }])),
    left: found.flatMap((one) => ('reason' in one ? [{ name, reason: one.reason }] : [])),
  }
}

/** Why the files of a level cannot be read; null if they can. */
function findUnread(sent: Sent, defaults: Sent, datadir: string): string | null {
  const own = ENDS.find((key) => sent[key] !== undefined)
  const from = own ? sent : defaults
  const key = own ?? ENDS.find((one) => defaults[one] !== undefined)
  const backend = key === undefined ? 'yaml_data' : String(from[key])
  if (!READ.includes(backend)) return `its backend ${backend} is not read (${READ.join(', ')} are)`
  if (sent.mapped_paths !== undefined) return 'mapped_paths have no counterpart'
  if (sent.uri !== undefined || sent.uris !== undefined) return 'addresses (uri, uris) are not read'
  if (datadir.includes('%{')) return 'its datadir is computed (interpolation)'
  const hasFiles = [sent.path, sent.paths, sent.glob, sent.globs].some((one) => one !== undefined)
  return hasFiles ? null : 'it names no path, paths, glob or globs'
}
