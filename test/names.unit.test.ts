import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

// Names and sentences that a reader finds where something is declared (STYLE.md 2, 12 and Names).
const ROOT = join(import.meta.dirname, '..')
const SOURCES = ['src', 'web/src', 'web/build', 'scripts', 'bench'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.includes('/generated/'))
    .map((path) => parse(path, readFileSync(join(ROOT, path), 'utf8'))),
)

/** The first words of functions that do or ask something. A new verb is added here: does none of these say it? */
const VERBS = new Set(
  `accept accepts acquire acts add adjust admit advance aggregate align allow animate announce answer append apply
    are ask asks assemble assert assign attach attempt audit authenticate await back begin bind block book bounce buffer
    build bundle cache calculate call can cancel cannot canonicalize capitalize capture carry cast center centre
    change check checkpoint checks chomp choose claim clamp classify clean clear click clone close coalesce coerce collapse
    collect combine commit compare compile complete compress compute concat concerns conclude confirm connect
    consume contains convert continue copy count covers create crop cut debounce decide decides declare declares decrypt
    dedent defer define delete delimit deliver deny deploy derive describe destroy detach detect determine diff
    differs dig digest direct disable discard dismiss dispatch divide do download drag draw drop dump duplicate edit
    emit empty enable encode encrypt end ends enqueue enrol ensure enter erase escape estimate evaluate examine
    exchange exclude execute exhaust exists exit expand expect explain explode export expose extract fade fail fall
    fetch fill filter find finish fire fit fix flag flatten flip flips float flush focus fold follow force forget
    format forward freeze fulfil gather generate get give goes group grow guard halt hand handle has hash hear help
    hide holds humanize identify ignore import increase indent index infer init initialize inject insert inspect
    install intercept interrupt intersect invoke is isolate iterate join jump keep kill kills lacks launch lay learn
    leave lend let lex lift limit link lint list listen load localize locate lock log logs look looks lookup loop
    loses lower maintain make manage map mark mask match matches may measure meet merge migrate mirror modify mount
    move multiply must mute name navigate needs negate negotiate nest normalise normalize note notice notify number
    observe occur offer omit open operate order overwrite pack pad paint pair parse pass patch pause peek perform
    permit permits persist pick pin place plan play poll pop post predict prefers prepare prepend present prevent
    preview print project promote propose prove provide provides publish pull push put query quit quote raise rank
    reaches react read realize reapply reassign rebuild recast receive reclaim reconnect record recover reduce
    refresh refuse refuses register reject relate release relink reload remember remove rename render renew reopen
    repair repeat replace report request require rescue reset resize resolve respond restore resume retry return
    reuse reveal revert revise revive revoke reword rewrite rotate round route run sample save say says scale scan
    schedule scroll seal search seed sees select send separate serve set shake share shift shorten show shows
    shuffle sign signal simplify skip sleep slice sort spawn speak spend split spread squeeze stack stage start
    starts step stop store stream strike strip submit subscribe subtract succeeds suggest suits sum summarize
    suppose suspend swallow swap sweep switch sync synchronize take takes tally tap teach tell test throw tidy time
    toggle tokenize touch trace track transform translate transpose traverse trigger trim trust try tunnel turn undo
    unescape unlink unlock unpack unregister unseal unwatch unwrap update upgrade upload use uses vacuum validate
    verify visit wait wake walk wants warn watch wipe wire work wrap write yield zip zoom`.split(/\s+/),
)

/** Yields a value of its argument, or one in another form or role, or is a part of a condition (STYLE.md, Names). */
const CONVERTS = /Of(?![a-z])|^(?:as|at|by|from|in|on|to|with|within|without)(?![a-z])/

/** What such a function yields is a part of a declaration (`F`: the field that it wraps), or an error to be thrown, and is called by its noun. */
const NOUNS =
  /(?:^|[^\w.])(?:Fields?|ReadableKey|NestedKeys?|StatedKey|SearchField|WriteWrapper|Routes?|PartedRoute|Action|Kind|z\.ZodType|Step|TemplateFunction|Outage|\w*Error|Unfit|Failure)(?!\w)|^F$/

/** An expression that declares a schema or a resource, or makes an error, says so by itself. */
const DECLARES = /^(?:z\s*\.|new \w+Error\(|defineResource\()/

/** Words of the field: what a statement yields, a translated text, the beginning of a program. May only shrink. */
const KNOWN = ['rows', 'row', 't', 'main']

describe('functions', () => {
  test('begin with a verb, unless they declare something, convert it, or draw a part of a page', () => {
    expect(SOURCES.flatMap(misnamed)).toEqual([])
  })

  test('such are found, in files and inside of functions', () => {
    const found = (text: string, path = 'src/x.ts') => misnamed(parse(path, text)).map((each) => each.split(' ')[1])
    expect(found('export function total(): number {}; const sum = () => 1; const readable = () => 1')).toEqual([
      'total',
      'readable',
    ])
    expect(found('function read() { const worth = function () {}; const kept: Kept = async () => 1 }')).toEqual([
      'worth',
      'kept',
    ])
    expect(found('const word = (doc) => z.string().meta(doc); const part = (): Field<string> => text()')).toEqual([])
    expect(
      found('function nameOf() {}; function offered() {}; const toText = () => 1; const together = () => 1'),
    ).toEqual(['offered', 'together'])
    expect(found('export function Card() {}', 'web/src/card.tsx')).toEqual([])
    expect(found('export function Card() {}', 'src/card.ts')).toEqual(['Card'])
  })
})

describe('exports', () => {
  test('of the program have a sentence each', () => {
    expect(SOURCES.filter(({ fileName }) => fileName.startsWith('src/')).flatMap(unexplained)).toEqual([])
  })

  test('such without one are found', () => {
    const text = '/** One. */ export const a = 1; export type B = 1; // Two.\nexport function c() {}; function d() {}'
    expect(unexplained(parse('src/x.ts', text))).toEqual(['src/x.ts B', 'src/x.ts c'])
  })
})

function misnamed(source: ts.SourceFile): string[] {
  const draws = source.fileName.endsWith('.tsx')
  return functionsOf(source)
    .filter(({ name, type, body }) => {
      if (VERBS.has(firstWordOf(name)) || CONVERTS.test(name) || KNOWN.includes(name)) return false
      return !((draws && /^[A-Z]/.test(name)) || NOUNS.test(type) || DECLARES.test(body))
    })
    .map(({ name }) => `${source.fileName} ${name}`)
}

/** All functions with names of their own, also inside of others; `body` is that of one that is an expression. */
function functionsOf(source: ts.SourceFile): { name: string; type: string; body: string }[] {
  return nodesOf(source).flatMap((node) => {
    if (ts.isFunctionDeclaration(node) && node.name)
      return [{ name: node.name.text, type: node.type?.getText(source) ?? '', body: '' }]
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return []
    const made = node.initializer && withoutTypes(node.initializer)
    if (!made || !(ts.isArrowFunction(made) || ts.isFunctionExpression(made))) return []
    const type = `${node.type?.getText(source) ?? ''} ${made.type?.getText(source) ?? ''}`
    return [{ name: node.name.text, type, body: ts.isBlock(made.body) ? '' : made.body.getText(source) }]
  })
}

/** The expression without parentheses and statements about its type. */
function withoutTypes(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
  return isWrapped ? withoutTypes(node.expression) : node
}

function firstWordOf(name: string): string {
  return /^(?:[a-z]+|[A-Z][a-z]*)/.exec(name)?.[0] ?? ''
}

/** Of a function with overloads, each of which has a sentence, the last declaration needs none. */
function unexplained(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement, index) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.getJSDocCommentsAndTags(statement).length > 0) return []
    const before = source.statements[index - 1]
    if (before && ts.isFunctionDeclaration(before) && !before.body) return []
    return [`${source.fileName} ${namesOf(statement, source)}`]
  })
}

function namesOf(statement: ts.Statement, source: ts.SourceFile): string {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText(source)).join()
  return (statement as ts.DeclarationStatement).name?.getText(source) ?? ''
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
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}
