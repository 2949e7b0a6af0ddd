import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { execFile } from '../processes.ts'

/** A certificate with its key, both PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface Certificates {
  /** The authority that signed all but `untrusted`. */
  readonly ca: string
  /** An authority that signed none of the certificates but `untrusted`. */
  readonly otherCa: string
  /** Valid for localhost, 127.0.0.1, ::1 and HOST_NAME. */
  readonly server: Certificate
  /** Like `server`, but expired in 2021. */
  readonly expired: Certificate
  /** Valid for `elsewhere.example.test` only. */
  readonly wrongName: Certificate
  /** Like `server`, signed by `otherCa`. */
  readonly untrusted: Certificate
}

export type CertificateName = 'server' | 'expired' | 'wrongName' | 'untrusted'

/** The name of every test directory in its certificate. */
export const HOST_NAME = 'directory.example.test'

const OUR_NAMES = `DNS:${HOST_NAME},DNS:localhost,IP:127.0.0.1,IP:::1`

/** Creates two authorities and their certificates with openssl, valid for 30 days, as files in a folder. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  mkdirSync(folder, { recursive: true })
  const openssl = async (...args: string[]) => {
    await promisify(execFile)('openssl', args, { cwd: folder })
  }
  const withNewKey = (name: string) => [
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    `${name}.key`,
  ]
  const authority = (name: string, subject: string) =>
    openssl(
      ...withNewKey(name),
      '-x509',
      '-days',
      '30',
      '-subj',
      subject,
      ...extensions(AUTHORITY),
      '-out',
      `${name}.crt`,
    )
  const issue = (name: string, by: string, names: string) =>
    openssl(
      ...withNewKey(name),
      ...['-x509', '-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-days', '30', '-subj', subjectOf(names)],
      ...extensions([...SERVER, `subjectAltName=${names}`]),
      ...['-out', `${name}.crt`],
    )
  const expire = async (name: string) => {
    writeFileSync(join(folder, 'issue.conf'), `${ISSUE_IN_THE_PAST}${SERVER.join('\n')}\nsubjectAltName=${OUR_NAMES}\n`)
    writeFileSync(join(folder, 'issued.txt'), '')
    await openssl(...withNewKey(name), '-subj', subjectOf(OUR_NAMES), '-out', `${name}.csr`)
    const span = ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z']
    await openssl(
      'ca',
      '-batch',
      '-notext',
      '-config',
      'issue.conf',
      ...span,
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.crt`,
    )
  }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const pair = (name: string): Certificate => ({ cert: read(`${name}.crt`), key: read(`${name}.key`) })

  await Promise.all([
    authority('ca', '/O=Example/CN=Example Directory CA'),
    authority('other-ca', '/O=Somebody Else/CN=Unrelated CA'),
  ])
  await Promise.all([
    issue('server', 'ca', OUR_NAMES),
    issue('wrongName', 'ca', 'DNS:elsewhere.example.test'),
    issue('untrusted', 'other-ca', OUR_NAMES),
    expire('expired'),
  ])
  return {
    ca: read('ca.crt'),
    otherCa: read('other-ca.crt'),
    server: pair('server'),
    expired: pair('expired'),
    wrongName: pair('wrongName'),
    untrusted: pair('untrusted'),
  }
}

const AUTHORITY = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign']
const SERVER = ['basicConstraints=CA:FALSE', 'keyUsage=digitalSignature', 'extendedKeyUsage=serverAuth,clientAuth']

// `openssl ca` is the one command that signs with dates in the past.
const ISSUE_IN_THE_PAST = `[ca]
default_ca=authority
[authority]
certificate=ca.crt
private_key=ca.key
database=issued.txt
new_certs_dir=.
rand_serial=yes
default_md=sha256
policy=any
x509_extensions=server
[any]
organizationName=optional
commonName=supplied
[server]
`

const extensions = (lines: readonly string[]) => lines.flatMap((line) => ['-addext', line])
const subjectOf = (names: string) => `/O=Example/CN=${names.split(',')[0]?.slice('DNS:'.length)}`
