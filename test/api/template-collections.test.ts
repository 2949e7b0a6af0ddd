import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Files of public collections, in the shapes that these have.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await given(api.admin, 'operatingsystem', { name: 'Rocky', major: '9', family: 'Redhat' })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const head = (facts: string) => `<%#\n${facts}-%>\n`

const FILES: readonly (readonly [says: string, file: (name: string) => string, shown: object])[] = [
  [
    'a snippet',
    (name) => `${head(`kind: snippet\nname: ${name}\nmodel: ProvisioningTemplate\nsnippet: true\n`)}text`,
    { snippet: true, template_kind_id: null },
  ],
  ['a snippet by its kind alone', (name) => `${head(`kind: snippet\nname: ${name}\n`)}text`, { snippet: true }],
  ['a head behind #!ipxe', (name) => `#!ipxe\n${head(`kind: iPXE\nname: ${name}\n`)}boot\n`, { snippet: false }],
  [
    'a head behind #!/bin/sh and a blank line',
    (name) => `#!/bin/sh\n\n${head(`kind: finish\nname: ${name}\n`)}exit\n`,
    {},
  ],
  [
    'a head behind an XML declaration',
    (name) => `<?xml version="1.0"?>\n${head(`kind: provision\nname: ${name}\n`)}<a/>\n`,
    {},
  ],
  [
    'unknown places and systems',
    (name) =>
      `${head(`kind: provision\nname: ${name}\noses:\n- Nonesuch\norganizations:\n- Nowhere\nlocations:\n- Nowhere\n`)}x`,
    {},
  ],
  [
    'keys that nobody knows',
    (name) =>
      `${head(`kind: provision\nname: ${name}\nfeature: x\nrequire:\n- plugin: y\n  version: 1.0\ntest_on:\n- debian\n`)}x`,
    {},
  ],
]

test.each(FILES)('%s is imported', async (_says, file, shown) => {
  const name = unique('Collected')
  const { status, body, text } = await api.admin.post('/api/provisioning_templates/import', {
    provisioning_template: { template: file(name) },
    options: { associate: 'always' },
  })
  expect(`${status} ${text}`).toMatch(/^201 /)
  expect(body).toMatchObject({ name, template: file(name), ...shown })
  const exported = await api.admin.get(`/api/provisioning_templates/${body.id}/export`)
  const again = await api.admin.post('/api/provisioning_templates/import', {
    provisioning_template: { template: exported.text },
  })
  expect({ ...again.body, updated_at: null, template: null }).toEqual({ ...body, updated_at: null, template: null })
  expect(exported.text.split('\n')[0]).toBe(file(name).split('\n')[0])
})

test('a partition table takes its family from the systems it names, or as it says', async () => {
  const imported = async (facts: string) => {
    const name = unique('Layout')
    const template = `${head(`kind: ptable\nname: ${name}\nmodel: Ptable\n${facts}`)}part /`
    const { body, text, status } = await api.admin.post('/api/ptables/import', { ptable: { template } })
    expect(`${status} ${text}`).toMatch(/^201 /)
    return (await api.admin.get(`/api/ptables/${body.id}`)).body.os_family
  }
  expect(await imported('oses:\n- Rocky\n- Nonesuch\n')).toBe('Redhat')
  expect(await imported('oses:\n- Debian\n- Ubuntu\n')).toBe('Debian')
  expect(await imported('os_family: Suse\n')).toBe('Suse')
  expect(await imported('oses:\n- Debian\n- CentOS\n')).toBe(null)
  expect(await imported('snippet: true\noses:\n- Debian\n')).toBe(null)
})

test('ends of lines are those of Unix once a text is saved', async () => {
  const template = `${head(`kind: finish\nname: ${unique('Windows')}\n`)}one\ntwo\n`
  const { body } = await api.admin.post('/api/provisioning_templates/import', {
    provisioning_template: { template: template.replaceAll('\n', '\r\n') },
  })
  expect(body.template).toBe(template)
})

test.each([
  ['<%= 5.then { |x| x + 1 } %>', '6'],
  ['<% counts = Hash.new(0); counts["a"] += 1 %><%= counts["a"] %> <%= counts["b"] %>', '1 0'],
  ['<% begin; raise "x"; rescue JSON::ParserError, KeyError => e %>caught<% end %>', 'caught'],
  ['<% value = (raise "x" rescue "other") %><%= value %>', 'other'],
  ['<%= [1].respond_to?(:each) %> <%= "x".respond_to?(:each) %>', 'true false'],
  ['<%\n=begin\nanything goes ! (\n=end\n%>after', 'after'],
  ['<%= Time.now.year > 2000 %> <%= Time.now.strftime("%Y").size %> <%= Time.now.to_i > 0 %>', 'true 4 true'],
  ['<%= @host.config_ca_server.empty? %>|<%= @host.config_ca_server %>|', 'true||'],
])('%s is understood', async (template, wanted) => {
  const host = await given(api.admin, 'host')
  const { status, body, text } = await api.admin.post(`/api/hosts/${host.id}/render`, { template })
  expect({ status, text, rendered: body?.rendered ?? body }).toMatchObject({ status: 200 })
  expect(text).toContain(wanted)
})
