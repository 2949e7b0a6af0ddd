import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Action, Resource, Stored } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { HostObject, listFunctions } from '../../../templates/index.ts'
import { loadHostWorld } from '../rendering/world.ts'
import { loadOptions } from '../unattended/viewed-options.ts'

const names = z.array(z.string())

/** Lists the names that a template of a host can use: the sandbox itself says them, so that editors need no list. */
export const templateNames: Action = {
  method: 'GET',
  path: '/:id/template_names',
  name: 'template_names',
  summary: 'List the functions and variables that a template can use for a host',
  permissions: ['view_hosts'],
  output: z
    .object({
      functions: names.meta({ description: 'Names of functions.' }),
      variables: names.meta({ description: 'Names of variables, with their @.' }),
      members: z
        .array(
          z.object({
            of: z.string().meta({ description: 'An expression, e.g. `@host` or `@host.operatingsystem`.' }),
            names: names.meta({ description: 'Names of what it offers.' }),
          }),
        )
        .meta({ description: 'What variables offer, and the records that `@host` links.' }),
    })
    .meta({ title: 'TemplateNames', description: 'Names that templates can use.' }),
  record: { how: 'found' },
  handle: answerNames,
}

async function answerNames(ctx: Context, resource: Resource, _input: Input, { id }: Stored): Promise<Answer> {
  const { world } = await loadHostWorld(ctx, id, await loadOptions(ctx, resource, id, false))
  const { variables = {}, functions = {} } = world
  const readers = listReaders(Object.entries(variables), '')
  const linked = readers.flatMap(({ of, reader }) =>
    of === '@host'
      ? listReaders(
          [...reader.methods].filter(([name]) => isName(name)),
          `${of}.`,
        )
      : [],
  )
  const members = [...readers, ...linked].map(({ of, reader }) => ({
    of,
    names: sortNames([...reader.methods.keys()]),
  }))
  return {
    status: 200,
    body: {
      functions: sortNames([...listFunctions(), ...Object.keys(functions)]),
      variables: sortNames(Object.keys(variables)),
      members,
    },
  }
}

interface NamedReader {
  readonly of: string
  readonly reader: HostObject
}

function listReaders(values: readonly (readonly [string, unknown])[], before: string): readonly NamedReader[] {
  return values.flatMap(([name, reader]) => (reader instanceof HostObject ? [{ of: before + name, reader }] : []))
}

/** Sorts names; operators and the methods of all values are left out. */
function sortNames(found: readonly string[]): string[] {
  return [...new Set(found)].filter(isName).toSorted()
}

const OF_ALL = ['class', 'to_s']

function isName(name: string): boolean {
  return /^@?[a-z_]\w*\??$/i.test(name) && !OF_ALL.includes(name)
}
