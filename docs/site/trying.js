// Operations are tried with the session of the console: the browser sends its cookie along.

/** The path under which this browser reaches the service, without a slash at its end. */
export const BASE = new URL('..', import.meta.url).pathname.slice(0, -1)

/** A form that sends the request and shows what came back. */
export function tryOut({ method, path, parameters }, body) {
  const details = element('details', { class: 'try' }, element('summary', {}, 'Try it with my session'))
  const form = element('form', {})
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  for (const name of names) form.append(field(name, element('input', { name, required: '' })))
  if (parameters.some((each) => each.in === 'query'))
    form.append(field('query', element('input', { name: '?', placeholder: 'search=id > 10&per_page=5' })))
  if (body !== null) form.append(field('body', element('textarea', { name: 'body', rows: '6' }, body)))
  form.append(element('button', {}, 'Send'))
  const answer = element('div', { 'aria-live': 'polite' })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const given = new FormData(form)
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given.get(name)))
    const query = String(given.get('?') ?? '').trim()
    answer.replaceChildren(...(await send(method, query ? `${filled}?${encodeURI(query)}` : filled, given.get('body'))))
  })
  details.append(form, answer)
  return details
}

async function send(method, url, body) {
  try {
    const isRead = method === 'get'
    const csrf = isRead ? null : await csrfToken()
    const headers = { ...(csrf && { 'x-csrf-token': csrf }), ...(!isRead && { 'content-type': 'application/json' }) }
    const answer = await fetch(BASE + url, { method: method.toUpperCase(), headers, ...(body !== null && { body }) })
    const text = await answer.text()
    const status = element('p', {}, `${answer.status} ${answer.statusText}`)
    if (answer.status === 401)
      status.append(' – ', element('a', { href: `${BASE}/` }, 'log in to the console'), ' first')
    return [status, element('pre', {}, readable(text))]
  } catch (error) {
    return [element('p', {}, `No answer: ${error.message}`)]
  }
}

/** Writes of a session carry its token; null where there is no session. */
async function csrfToken() {
  const answer = await fetch(`${BASE}/api/session`)
  return answer.ok ? (await answer.json()).csrf_token : null
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function field(name, input) {
  return element('label', {}, element('span', {}, name), input)
}

function element(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}
