import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

// What the syntax tree of the program shows to be said twice (STYLE.md 8, 15; docs/decisions/0009-kernel.md).
const ROOT = join(import.meta.dirname, '..')
const TEXTS = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const SOURCES = TEXTS.map(({ path, text }) => parse(path, text))
const OLDER_WORDS = 'src/areas/provisioning/template-combination/older-words.ts'

describe('a nested answer is stated once, by src/records/nested.ts', () => {
  test('who describes answers leaves it to that to write their JSON', () => {
    const written = SOURCES.filter((source) => importsOf(source).includes('zod') && objectsInSql(source).length > 0)
    expect(written.map(({ fileName }) => fileName)).toEqual([])
  })

  test('no keys are described in one module of an area, and selected in another', () => {
    expect(
      [
        ...Map.groupBy(
          SOURCES.filter(({ fileName }) => fileName.startsWith('src/areas/')),
          areaOf,
        ),
      ].flatMap(([area, sources]) => statedTwice(area, sources)),
    ).toEqual([])
  })

  test('both are found', () => {
    const source = parse(
      'src/areas/places/room.ts',
      "const ROOM = z.object({ id: a, name: b, door: c }); const SQL = sql`select json_build_object('name', x.name, 'door', (select y, 1), 'id', ${x}) from rooms x`",
    )
    expect(objectsInSql(source)).toEqual(['door id name'])
    expect(statedTwice('places', [source])).toEqual(['places: door id name'])
    expect(
      statedTwice('places', [
        parse('src/areas/places/room.ts', 'z.object({ id: a, name: b, door: c }); selectObject({ id: a })'),
      ]),
    ).toEqual([])
  })
})

describe('what is written in a list or an object stands there', () => {
  test('no literal is spread into another, as to keep several to a line', () => {
    expect(SOURCES.filter((source) => literalsSpread(source) > 0).map(({ fileName }) => fileName)).toEqual([])
  })

  test('such a one is found', () => {
    expect(literalsSpread(parse('x.ts', "const a = { ...{ b, c }, d: [...['e', 'f']] }"))).toBe(2)
    expect(literalsSpread(parse('x.ts', "const a = { ...(b && { c }), d: [...['e'].map(f)] }"))).toBe(0)
  })
})

describe('what had copies stands in one file', () => {
  test.each([
    ['the label of a view in an environment', /\be\.label \|\| '\/' \|\| v\.label/, 'src/areas/registration/labels.ts'],
    ['a savepoint', /sql`savepoint\b/, 'src/database/savepoints.ts'],
    ['an administrator without a login', /^ {2}admin: true,$/m, 'src/context.ts'],
    ['the older words for a provisioning template', /config_template_id: 'prov/, OLDER_WORDS],
  ])('%s', (_what, pattern, place) => {
    expect(TEXTS.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([place])
  })
})

function literalsSpread(source: ts.SourceFile): number {
  return nodesOf(source).filter(
    (node) =>
      (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) ||
      (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)),
  ).length
}

/** Two keys, such as an id and a name, are alike by chance. */
function statedTwice(area: string, sources: readonly ts.SourceFile[]): string[] {
  const described = new Set(sources.flatMap((source) => keysGivenTo(source, ['object', 'extend', 'strictObject'])))
  const selected = new Set(
    sources.flatMap((source) => [...objectsInSql(source), ...keysGivenTo(source, ['selectObject'])]),
  )
  return [...described]
    .filter((keys) => selected.has(keys) && keys.split(' ').length > 2)
    .map((keys) => `${area}: ${keys}`)
}

/** The keys of object literals that calls of these functions are given, in order of the alphabet. */
function keysGivenTo(source: ts.SourceFile, names: readonly string[]): string[] {
  return nodesOf(source).flatMap((node) => {
    if (!ts.isCallExpression(node)) return []
    const { expression, arguments: given } = node
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText(source)
    const [first] = given
    if (!names.includes(name) || !first || !ts.isObjectLiteralExpression(first)) return []
    return [sorted(first.properties.map((property) => property.name?.getText(source).replaceAll("'", '') ?? '...'))]
  })
}

/** The keys of JSON objects in texts of SQL. */
function objectsInSql(source: ts.SourceFile): string[] {
  return nodesOf(source).flatMap((node) => {
    if (!ts.isTemplateExpression(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return []
    const text = ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?')
      : node.text
    const objects = [...text.matchAll(/\bjsonb?_build_object\(/g)]
    return objects.map((found) => sorted(keysFrom(text.slice(found.index + found[0].length))))
  })
}

/** Every other argument, up to the parenthesis that closes them. */
function keysFrom(text: string): string[] {
  const given = ['']
  let depth = 0
  for (const [token] of text.matchAll(/'(?:[^']|'')*'|[^']/g)) {
    if (token === ')' && depth === 0) break
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) given.push('')
    else given.push(`${given.pop()}${token}`)
  }
  return given.filter((_, place) => place % 2 === 0).map((key) => key.trim().replaceAll("'", ''))
}

function sorted(keys: readonly string[]): string {
  return keys.toSorted().join(' ')
}

function areaOf({ fileName }: ts.SourceFile): string {
  return /^src\/areas\/(\w+)\//.exec(fileName)?.[1] ?? 'what all use'
}

function importsOf(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : [],
  )
}

function nodesOf(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node) => {
    nodes.push(node)
    node.forEachChild(visit)
  }
  visit(root)
  return nodes
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
}
