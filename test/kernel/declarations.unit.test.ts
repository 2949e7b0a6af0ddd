import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'

// TypeScript accepts an unknown property that a spread brings along, so that a declaration can lose a key under a wrong name.

const SOURCES = ['src/kernel/definition.ts', 'src/requests/route.ts'].map((path) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
)

/** The names of the members of an interface, with those that it extends. */
function membersOf(name: string): string[] {
  const found = SOURCES.flatMap((source) =>
    source.statements.filter(
      (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
    ),
  )
  expect([name, found.length]).toEqual([name, 1])
  const [declared] = found
  const own = declared?.members.map((member) => member.name?.getText() ?? '') ?? []
  const extended = declared?.heritageClauses?.flatMap(({ types }) => types) ?? []
  return [
    ...own,
    ...extended.flatMap(({ expression, typeArguments = [] }) => {
      const base = expression.getText()
      return membersOf(base === 'Omit' || base === 'Pick' ? (typeArguments[0]?.getText().split('<')[0] ?? '') : base)
    }),
  ]
}

test('declarations have the keys that the kernel knows, and no others', () => {
  const unknown = (about: string, found: object, ...names: string[]) => {
    const known = new Set(names.flatMap(membersOf))
    return Object.keys(found).flatMap((key) => (known.has(key) ? [] : [`${about}: ${key}`]))
  }
  const resources = [...assembleResources().values()]
  expect(resources.length).toBeGreaterThan(50)
  expect(
    resources.flatMap((resource) => [
      ...unknown(resource.name, resource, 'Definition', 'Resource'),
      ...unknown(`${resource.name}.views`, resource.views, 'Views'),
      ...unknown(`${resource.name}.wrapWrite`, resource.wrapWrite ?? {}, 'WriteWrapper'),
      ...(resource.actions ?? []).flatMap((action) =>
        unknown(`${resource.name}.${action.name}`, action, 'ActionFacts', 'CollectionAction', 'RecordAction'),
      ),
    ]),
  ).toEqual([])
})
