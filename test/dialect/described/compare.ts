import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An action of a resource: where it is asked for, and what type each parameter has; `!` behind one that is required. */
interface Action {
  readonly paths: readonly string[]
  readonly parameters: ReadonlyMap<string, string>
}

/** The description as clients read it. */
interface Description {
  readonly docs: { readonly resources: Readonly<Record<string, { readonly methods: readonly Method[] }>> }
}

interface Method {
  readonly name: string
  readonly apis: readonly { readonly http_method: string; readonly api_url: string }[]
  readonly params: readonly Parameter[]
}

interface Parameter {
  readonly full_name: string
  readonly expected_type: string
  readonly required: boolean
  readonly params?: readonly Parameter[]
}

/** What a description lacks of the recorded one, or says otherwise so that clients would notice. */
export function differences(text: string): string[] {
  const described = actionsOf(JSON.parse(text))
  return [...recorded()].flatMap(([name, { paths, parameters }]) => {
    const ours = described.get(name)
    if (!ours) return [`no action ${name}`]
    return [
      ...paths.filter((path) => !ours.paths.includes(path)).map((path) => `no path ${name} ${path}`),
      ...[...parameters].flatMap(([parameter, type]) => {
        const own = ours.parameters.get(parameter)
        if (own === undefined) return [`no parameter ${name} ${parameter}`]
        if (bare(own) !== bare(type)) return [`type ${name} ${parameter} ${bare(type)} ${bare(own)}`]
        if (own.endsWith('!') === type.endsWith('!')) return []
        return [`${own.endsWith('!') ? 'required' : 'not required'} ${name} ${parameter}`]
      }),
    ]
  })
}

const SIGNS: Readonly<Record<string, string>> = {
  '': 'string',
  '#': 'numeric',
  '?': 'boolean',
  '[]': 'array',
  '{}': 'hash',
  '*': 'any_type',
  '@': 'file',
}

/** Segments of paths are named as somebody liked: what counts is where they stand. */
function unnamed(path: string): string {
  return path.replace(/:\w+/g, ':')
}

function bare(type: string): string {
  return type.replace('!', '')
}

function recorded(): Map<string, Action> {
  const lines = readFileSync(join(import.meta.dirname, 'facts.txt'), 'utf8').split('\n')
  const facts = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    facts.map((line) => {
      const [name = '', paths = '', parameters = ''] = line.split('|').map((part) => part.trim())
      return [name, { paths: paths.split(', ').map(unnamed), parameters: new Map(read(parameters)) }]
    }),
  )
}

function read(parameters: string): [string, string][] {
  return parameters
    .split(' ')
    .filter((written) => written !== '')
    .map((written) => {
      const [, name = '', sign = '', required = ''] = /^(.*?)(#|\?|\[\]|\{\}|\*|@)?(!)?$/.exec(written) ?? []
      return [name, `${SIGNS[sign]}${required}`]
    })
}

function actionsOf({ docs }: Description): Map<string, Action> {
  return new Map(
    Object.entries(docs.resources).flatMap(([resource, { methods }]) =>
      methods.map(({ name, apis, params }): [string, Action] => [
        `${resource}.${name}`,
        {
          paths: apis.map(({ http_method, api_url }) => unnamed(`${http_method} ${api_url}`)),
          parameters: new Map(flat(params)),
        },
      ]),
    ),
  )
}

function flat(parameters: readonly Parameter[]): [string, string][] {
  return parameters.flatMap(({ full_name, expected_type, required, params }): [string, string][] => [
    [full_name, `${expected_type}${required ? '!' : ''}`],
    ...flat(params ?? []),
  ])
}
