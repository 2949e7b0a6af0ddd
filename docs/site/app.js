// The pages at /docs: everything they show of the API comes from /api/openapi.json.
import { rank } from './finding.js'
import { BASE, tryOut } from './trying.js'

const [api, { login_text: loginText }] = await Promise.all(['api/openapi.json', 'api/login_text'].map(read))
const main = document.querySelector('#main')
const find = document.querySelector('#find')
const operations = operationsOf(api)
const groups = api.tags.map((tag) => ({ ...tag, operations: operations.filter(({ tags }) => tags[0] === tag.name) }))

document.querySelector('#version').textContent = api.info.version
document
  .querySelector('#groups')
  .append(...groups.map(({ name }) => h('a', { href: `${BASE}/docs#${name}` }, words(name))))
if (main) {
  addEventListener('hashchange', show)
  find.addEventListener('input', () => (find.value.trim() ? showFound(find.value) : show()))
  find.form.addEventListener('submit', (event) => event.preventDefault())
  find.value = new URLSearchParams(location.search).get('find') ?? ''
  if (find.value.trim()) await showFound(find.value)
  else show()
}
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea')) return
  event.preventDefault()
  find.focus()
})
markCurrent()

function show() {
  const [name, ...rest] = decodeURIComponent(location.hash.slice(1)).split('.')
  const group = groups.find((one) => one.name === name)
  main.replaceChildren(...(group ? groupPage(group, rest.join('.')) : overview()))
  const wanted = rest.length > 0 ? document.getElementById(`${name}.${rest.join('.')}`) : null
  if (wanted) wanted.scrollIntoView()
  else scrollTo(0, 0)
  document.title = group ? `${words(group.name)} · Millwright API` : 'Millwright API'
  markCurrent()
}

function markCurrent() {
  const here = location.pathname + location.hash.split('.')[0]
  for (const link of document.querySelectorAll('nav a')) {
    link.toggleAttribute('aria-current', link.pathname + link.hash === here)
  }
}

/** One entry per operation of a group; paths below other records that do the same are listed with it. */
function operationsOf({ paths }) {
  const found = new Map()
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  for (const one of all.sort((a, b) => parts(a) - parts(b))) {
    const key = `${one.tags[0]}.${one.operationId.split('.').at(-1)}`
    if (found.has(key)) found.get(key).also.push(one.path)
    else found.set(key, { ...one, key, also: [] })
  }
  return [...found.values()].map((one) => ({ ...one, parameters: (one.parameters ?? []).map(resolved) }))
}

function parts({ path }) {
  return path.split('/').length
}

function overview() {
  const origin = location.origin + BASE
  return [
    h('h1', {}, api.info.title),
    h('p', { class: 'lead' }, api.info.summary),
    h('pre', {}, `curl -u admin ${origin}/api/architectures`),
    ...api.info.description.split('\n\n').map((text) => h('p', {}, ...inline(text))),
    h('h2', {}, 'Logging in'),
    ...loginText.split('\n').flatMap((line) => (line ? [h('p', {}, line)] : [])),
    ...contact(api.info),
    fieldsTable(
      Object.entries(api.components.securitySchemes).map(([name, { description }]) => [name, '', description]),
    ),
    h('h2', {}, 'Resources'),
    h('div', { class: 'cards' }, ...groups.map(card)),
    h('h2', {}, 'Errors'),
    h('p', {}, 'Whatever is refused is answered with one of these. Nothing is ever half written.'),
    ...Object.entries(errorsByStatus()).map(([status, response]) => errorDetails(status, response)),
  ]
}

async function read(path) {
  return (await fetch(`${BASE}/${path}`)).json()
}

/** Who runs this service, where the document says so. */
function contact({ contact: { name, email } = {} }) {
  return email ? [h('p', {}, `${name}: `, h('a', { href: `mailto:${email}` }, email))] : []
}

function card({ name, description, operations: all }) {
  return h(
    'a',
    { class: 'card', href: `#${name}` },
    h('b', {}, words(name)),
    h('span', {}, description ?? ''),
    h('small', {}, `${all.length} operations`),
  )
}

function errorsByStatus() {
  const refs = operations.flatMap(({ responses }) => Object.entries(responses).filter(([status]) => status >= 400))
  return Object.fromEntries(refs.map(([status, response]) => [status, resolved(response)]))
}

function errorDetails(status, response) {
  const schema = contentSchema(response)
  const bodies = (schema?.anyOf ?? [schema]).filter(Boolean).map((one) => h('pre', {}, json(example(one))))
  return h(
    'details',
    { class: 'error' },
    h('summary', {}, h('b', {}, status), ' ', ...inline(response.description)),
    ...bodies,
  )
}

function groupPage(group, opened) {
  return [
    h('h1', {}, words(group.name)),
    h('p', { class: 'lead' }, group.description ?? ''),
    ...group.operations.map((one) => operationDetails(one, opened !== '' && one.key === `${group.name}.${opened}`)),
  ]
}

function operationDetails(one, open) {
  const details = h('details', { class: 'operation', id: one.key }, operationLine(one))
  details.addEventListener('toggle', async () => {
    const { examples } = await import('./examples.js')
    if (details.open && details.childElementCount === 1) details.append(operationBody(one, examples[one.key]))
  })
  details.open = open
  return details
}

function operationLine({ method, path, summary, key }) {
  return h(
    'summary',
    {},
    h('span', { class: `method ${method}` }, method),
    h('code', {}, ...path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? h('i', {}, part) : part))),
    h('span', { class: 'quiet' }, summary),
    h('a', { class: 'anchor', href: `#${key}`, title: 'Link to this operation' }, '#'),
  )
}

/** What is said of an operation; `tried` is a request that was sent once, with its answer. */
function operationBody(one, tried) {
  const [status, success] = Object.entries(one.responses).find(([code]) => code < 300)
  const body = contentSchema(one.requestBody)
  const answer = contentSchema(success)
  const keys = Object.keys(body?.properties ?? {})
  const root = keys.length === 1 ? keys[0] : null
  const sent = body ? json(tried?.body ?? example(body, true)) : null
  const left = h(
    'div',
    {},
    h('p', { class: 'needs' }, ...permission(one)),
    ...(one.also.length > 0
      ? [h('p', { class: 'also' }, 'Also ', ...one.also.map((path) => h('code', {}, path)))]
      : []),
    ...section(
      'Parameters',
      one.parameters.map((each) => [
        each.name,
        each.in === 'path' ? 'path' : typeText(each.schema),
        each.description,
        each.required,
      ]),
    ),
    ...(body ? section(`Body${root ? `: ${root}` : ''}`, fieldRows(root ? body.properties[root] : body, true)) : []),
    ...(body ? [h('p', { class: 'quiet' }, one.requestBody.description)] : []),
    ...(answer ? section(`Answer ${status}`, fieldRows(answer)) : []),
    h(
      'p',
      { class: 'statuses' },
      'Refusals ',
      ...Object.keys(one.responses)
        .filter((code) => code >= 400)
        .map((code) => h('code', { title: resolved(one.responses[code]).description }, code)),
    ),
  )
  const right = h(
    'div',
    { class: 'examples' },
    h('h4', {}, 'Request'),
    h('pre', {}, curl(one, sent, tried)),
    ...answerExample(status, answer, tried?.answer),
    tryOut(one, sent),
  )
  return h('div', { class: 'columns' }, left, right)
}

/** An answer as text is shown as it came; most are JSON. */
function answerExample(status, schema, answer) {
  if (!schema && answer === undefined) return []
  const text = !schema && typeof answer === 'string' ? answer : json(answer ?? example(schema))
  return [h('h4', {}, `Answer ${status}`), h('pre', {}, text)]
}

function permission(one) {
  const names = one['x-millwright-permission']
  if (one.security.length === 0) return ['No login needed.']
  if (!names) return ['Any login will do.']
  const list = names.flatMap((name, index) => [index > 0 ? ' or ' : '', h('code', {}, name)])
  return ['Needs ', ...list, one['x-millwright-own'] ? '; nothing for own records.' : '.']
}

function curl({ method, path, parameters }, sent, { params = {}, query } = {}) {
  const searches = parameters.some(({ name }) => name === 'search')
  const asked = Object.entries(query ?? (searches ? { search: 'id > 10' } : {}))
  const search = asked.map(([name, value]) => ` --data-urlencode "${name}=${value}"`).join('')
  const url = location.origin + BASE + path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '1')
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  if (method !== 'post' && method !== 'put') return `curl -u admin${verb} ${url}${search && ` -G${search}`}`
  const data = sent === null ? '' : ` \\\n  -d '${sent}'`
  return `curl -u admin${verb} \\\n  ${url} \\\n  -H 'Content-Type: application/json'${data}`
}

function section(title, rows) {
  return rows.length > 0 ? [h('h4', {}, title), fieldsTable(rows)] : []
}

function fieldsTable(rows) {
  return h(
    'table',
    {},
    ...rows.map(([name, type, description, required]) =>
      h(
        'tr',
        {},
        h('td', {}, h('code', {}, name), ...(required ? [h('em', {}, 'required')] : [])),
        h('td', {}, ...(type ? [h('span', { class: 'type' }, type)] : []), ...inline(description ?? '')),
      ),
    ),
  )
}

/** The keys of a schema as rows; those of objects inside it as `results[].name`. In bodies some are required. */
function fieldRows(schema, isBody = false, prefix = '', depth = 0) {
  const { properties = {}, required = [], items } = resolved(schema)
  if (items) return depth < 3 ? fieldRows(items, isBody, `${prefix}[]`, depth) : []
  return Object.entries(properties).flatMap(([key, value]) => {
    const one = plain(resolved(value))
    const name = prefix ? `${prefix}.${key}` : key
    const inner = depth < 2 && (one.properties || one.items) ? fieldRows(one, isBody, name, depth + 1) : []
    return [[name, typeText(value), one.description, isBody && required.includes(key)], ...inner]
  })
}

function typeText(schema) {
  const one = resolved(schema)
  if (one.anyOf) return [...new Set(one.anyOf.map(typeText))].join(' or ')
  if ('const' in one) return JSON.stringify(one.const)
  if (one.enum) return one.enum.join(', ')
  if (Array.isArray(one.type)) return one.type.join(' or ')
  if (one.type === 'array') return `list of ${typeText(one.items ?? {})}`.replace(/(string|integer|object)$/, '$1s')
  return one.type ?? 'any value'
}

/** A value such as the schema describes; of a body only what has to be there. */
function example(schema, onlyRequired = false) {
  const one = plain(resolved(schema))
  if (one.examples) return one.examples[0]
  if ('const' in one) return one.const
  if (one.enum) return one.enum[0]
  const types = [one.type].flat()
  if (types.includes('object')) {
    const keys = Object.entries(one.properties ?? {}).filter(([key]) => !onlyRequired || one.required?.includes(key))
    const chosen = keys.length > 0 ? keys : Object.entries(one.properties ?? {}).slice(0, 1)
    return Object.fromEntries(chosen.map(([key, value]) => [key, example(value, onlyRequired)]))
  }
  if (types.includes('array')) return [example(one.items ?? {}, onlyRequired)]
  if (types.includes('string'))
    return /for example ([\w./@-]*\w)/i.exec(one.description ?? '')?.[1] ?? (types.includes('null') ? null : 'text')
  return { integer: 1, number: 1, boolean: true }[types[0]] ?? null
}

/** Of several forms the first that says something. */
function plain(schema) {
  const [first] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return first ? { ...resolved(first), description: schema.description } : schema
}

/** Guides and operations in one list, the best first. */
async function showFound(text) {
  const { sections } = await import('./sections.js')
  const parts = sections.map((one) => ({
    one,
    title: one.title,
    text: one.text,
    show: () => sectionFound(one),
  }))
  const all = operations.map((one) => ({
    ...{ one, title: `${one.summary} ${one.path}`, text: textOf(one) },
    show: () => operationDetails(one, false),
  }))
  const found = rank(text, [...parts, ...all])
  if (text !== find.value) return // somebody went on typing
  main.replaceChildren(h('h1', {}, `${found.length} found`), ...found.slice(0, 200).map(({ show: shown }) => shown()))
}

function sectionFound({ url, guide, title, text }) {
  const name = guide === title ? guide : `${guide}: ${title}`
  return h('a', { class: 'card', href: BASE + url }, h('b', {}, name), h('span', {}, text.slice(0, 200)))
}

function textOf(one) {
  one.text ??= [
    one.key,
    one.method,
    one.path,
    one.summary,
    one['x-millwright-permission'],
    ...one.parameters.map(({ name }) => name),
    ...fieldRows(contentSchema(one.requestBody) ?? {}).map(([name]) => name),
  ]
    .join(' ')
    .toLowerCase()
  return one.text
}

function contentSchema(response) {
  return resolved(response ?? {}).content?.['application/json']?.schema
}

function resolved(value) {
  if (!value.$ref) return value
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key], api)
  return value.description ? { ...target, description: value.description } : target
}

function words(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}

function json(value) {
  return JSON.stringify(value, null, 2)
}

/** Text in which backquotes mark code. */
function inline(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part))
}

function h(name, attributes, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}
