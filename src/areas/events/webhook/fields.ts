import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { boolean, type Field, link, secret, text, timestamp } from '../../../kernel/index.ts'
import { isMembers, readTexts } from '../../../lib/values.ts'
import { withWritable } from '../../../records/coerced.ts'
import { textIn } from '../../../records/text-in.ts'
import { buildUrlLanguage, type Language, SEARCH } from '../../../requests/languages.ts'
import { sql } from '../../../sql.ts'

const TARGET_URL = buildUrlLanguage(
  /^https?:\/\/[^\s/\\?#@]+(?:[/?][^\s\\#]*)?$/,
  'must be a URL like https://hooks.example.test/millwright, without user, password and fragment',
)

const CERTIFICATES: Language = {
  name: 'certificates',
  findProblem: (text) => (areCertificates(text) ? null : 'must be certificates in PEM format'),
}

function areCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).subject !== undefined)
  } catch {
    return false
  }
}

const SENT_TO = ['target_url', 'verify_ssl', 'ssl_ca_certs']

/** The fields of webhooks. */
export const webhookFields = {
  name: text({ required: true, search: 'free', doc: 'Unique name.' }),
  target_url: textIn(TARGET_URL, { required: true, max: 2048, search: 'free', doc: 'URL that events are sent to.' }),
  events: patterns(),
  search: textIn(SEARCH, {
    max: 4096,
    doc: 'Sends only changes that this search of audits finds, such as `host ~ web and username = admin`.',
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
  http_headers: declareHeaders(),
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
        addIssue({
          code: 'custom',
          message: 'must be a JSON object of header names and texts, without the headers of HTTP itself and webhook-*',
        })
      }),
  }))
}

const OWN = /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|webhook-.*)$/i

function isHeaders(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value)
    return isMembers(parsed) && Object.entries(parsed).every(([name, text]) => isHeader(name, text))
  } catch {
    return false
  }
}

function isHeader(name: string, text: unknown): boolean {
  return (
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !OWN.test(name) && typeof text === 'string' && /^[\t\x20-\x7e]*$/.test(text)
  )
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
