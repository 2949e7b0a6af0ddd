import { z } from 'zod'
import { boolean, type Field, link, secret, text, timestamp } from '../../../kernel/index.ts'
import { isCertificates } from '../../../lib/certificates.ts'
import { readTexts } from '../../../lib/values.ts'
import { withWritable } from '../../../records/coerced.ts'
import { json } from '../../../records/json.ts'
import { textIn } from '../../../records/text-in.ts'
import { type Language, SEARCH } from '../../../requests/languages.ts'
import { sql } from '../../../sql.ts'
import { compile, isTemplate, TemplateError } from '../../../templates/index.ts'
import { EVENT_CONTENT, findUrlProblem, isHeaders, NOT_HEADERS } from './rendered.ts'

const TARGET_URL: Language = {
  name: 'URL',
  findProblem: (text) => {
    if (!isTemplate(text)) return findUrlProblem(text)
    // Secrets go to this host, so that no record may name it.
    if (!/^https?:\/\/[^\s/\\?#@<]+[/?]/.test(text))
      return 'must name its host without tags, as https://hooks.example.test/<%= … %>'
    return findTemplateProblem(text)
  },
}

const HEADERS: Language = {
  name: 'template',
  findProblem: (text) => (isTemplate(text) ? findTemplateProblem(text) : isHeaders(text) ? null : NOT_HEADERS),
}

function findTemplateProblem(text: string): string | null {
  try {
    compile(text)
    return null
  } catch (error) {
    if (error instanceof TemplateError) return `cannot be understood: ${error.message}`
    throw error
  }
}

const METHODS = ['POST', 'GET', 'PUT', 'DELETE', 'PATCH']

const CERTIFICATES: Language = {
  name: 'certificates',
  findProblem: (text) => (isCertificates(text) ? null : 'must be certificates in PEM format'),
}

const CONTENT_TYPE = {
  regexp: /^[\w!#$&.^+-]+\/[\w!#$&.^+-]+(?:;[\x20-\x7e]*)?$/,
  message: 'must be a type such as application/json',
}

const SENT_TO = ['target_url', 'verify_ssl', 'ssl_ca_certs']

/** The fields of webhooks. */
export const webhookFields = {
  name: text({ required: true, search: 'free', doc: 'Unique name.' }),
  target_url: textIn(TARGET_URL, {
    required: true,
    max: 2048,
    search: 'free',
    doc: 'URL that events are sent to. Tags may stand behind its host, as in templates.',
  }),
  http_method: text({ oneOf: METHODS, blank: 'POST', doc: 'HTTP method of requests.' }),
  http_content_type: text({
    blank: EVENT_CONTENT,
    pattern: CONTENT_TYPE,
    doc: 'Type of what is sent. Without a template, application/cloudevents+json stands for the event, and others for a short message about it.',
  }),
  webhook_template: link('webhook_template', {
    onDelete: 'clear',
    search: true,
    doc: 'The template of what is sent; by default the event.',
  }),
  events: patterns(),
  search: textIn(SEARCH, {
    max: 4096,
    doc: 'Sends only changes that this search of audits finds, such as `host ~ web and username = admin`.',
  }),
  new_values: json({
    doc: 'Sends only events with these new values of fields, or details of a task or run, such as {"build": true}.',
  }),
  enabled: boolean({
    initial: true,
    search: 'explicit',
    doc: 'Whether events are sent. A receiver that answers 410 disables it. Events that happen while it is disabled are not sent later.',
  }),
  disabled_reason: text({ readOnly: true, doc: 'Why the service disabled it.' }),
  verify_ssl: boolean({ initial: true, doc: 'Whether the certificate of the receiver is verified.' }),
  ssl_ca_certs: textIn(CERTIFICATES, {
    max: 65_535,
    doc: 'Certificates of the authorities that sign the certificate of the receiver (PEM); default: those of this machine.',
  }),
  header_template: textIn(HEADERS, {
    max: 4096,
    doc: 'Further headers as a JSON object that may have tags. They are shown: secrets belong into http_headers.',
  }),
  http_headers: declareHeaders(),
  http_user: text({
    pattern: { regexp: /^[^:]*$/, message: 'must not contain a colon' },
    doc: 'User of basic authentication.',
  }),
  http_password: secret({
    clearable: true,
    encrypted: true,
    max: 255,
    sentTo: SENT_TO,
    doc: 'Password of basic authentication. It is not shown.',
  }),
  // Requests cannot set them.
  secret: declareInternalSecret('Signs what is sent.'),
  former_secret: declareInternalSecret('Signs it, too, for a day after a rotation.'),
  former_secret_until: timestamp({ readOnly: true, doc: 'Time until which the former secret signs, too.' }),
  user: link('user', {
    readOnly: true,
    required: true,
    onDelete: 'cascade',
    doc: 'Owner, who created it. It sends events that the owner may see.',
  }),
}

function declareInternalSecret(doc: string) {
  return { ...secret({ encrypted: true, sentTo: [], doc }), writable: () => ({}) }
}

/** Headers as a JSON object, which may hold secrets. */
function declareHeaders() {
  const field = secret({
    clearable: true,
    encrypted: true,
    max: 4096,
    sentTo: SENT_TO,
    doc: 'Further headers as a JSON object, such as {"Authorization": "Bearer …"}. They are not shown.',
  })
  return withWritable(field, ({ schema }) => ({
    schema: () =>
      schema().superRefine((value, { issues, addIssue }) => {
        if (typeof value !== 'string' || value === '' || issues.length > 0 || isHeaders(value)) return
        addIssue({ code: 'custom', message: NOT_HEADERS })
      }),
  }))
}

const NOT_PATTERNS = 'must be a list of types of events or patterns, such as ["host.created", "domain.*"]'

/** A field of patterns for types of events. Rules check that there are such events. */
function patterns(): Field<readonly string[]> & { readonly required: true } {
  const doc = 'Types of events that are sent, or patterns such as `host.*`, `*.deleted` and `*`. Replaces the list.'
  return {
    kind: 'event_patterns',
    doc,
    required: true,
    writable: (at) => ({
      [at.name]: {
        schema: () =>
          z
            .array(z.string({ error: NOT_PATTERNS }), { error: NOT_PATTERNS })
            .min(1, "can't be blank")
            .max(200, 'is too long (maximum is 200 entries)')
            .meta({ description: doc }),
        coerce: (sent) => (typeof sent === 'string' ? sent.split(',').map((one) => one.trim()) : sent),
      },
    }),
    readable: (at) => ({
      [at.name]: {
        schema: () => z.array(z.string()).meta({ description: doc }),
        sql: (alias) => sql`array_to_json(${sql.ref(`${alias}.${at.name}`)})`,
      },
    }),
    search: () => [],
    column: (at) => ({ name: at.name, type: 'text[]', nullable: false }),
    read: async (_ctx, at, sent) => readTexts(sent, at.name) ?? undefined,
  }
}
