import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { execFile } from '../processes.ts'
import { type CertificateName, makeCertificates } from './certificates.ts'
import { directoryOf, type TestDirectory } from './directory.ts'
import { type Entry, toLdif } from './entries.ts'
import { PASSWORD } from './people.ts'
import { makeFolder, openServer, withFreePorts } from './server.ts'
import { ACCOUNTS, BASE, GROUPS_BASE, hugePhotoEntry, NETGROUPS_BASE, slapdEntries, USERS } from './slapd-data.ts'
import { copyFolder, provideTemplate } from './template.ts'

export interface SlapdOptions {
  /** The certificate of the server. */
  readonly certificate?: CertificateName
  /** Whether anonymous clients may bind and read. */
  readonly anonymous?: 'refused' | 'reads'
  /** Refuses passwords on connections without TLS. */
  readonly onlySecureBinds?: boolean
  /** Adds a user `hugephoto` with a photo of 20 MB. */
  readonly hugePhoto?: boolean
}

const SLAPD = '/usr/sbin/slapd'
const SCHEMAS = '/etc/ldap/schema'
const MODULES = ['/usr/lib/ldap', '/usr/libexec/openldap'].find(existsSync)

export const hasSlapd = () => existsSync(SLAPD) && existsSync(SCHEMAS) && MODULES !== undefined

/** OpenLDAP with 10,000 users and 1,000 groups (slapd-data.ts). */
export async function startSlapd(options: SlapdOptions = {}): Promise<TestDirectory> {
  const folder = makeFolder()
  const data = join(folder, 'data')
  const certificates = await makeCertificates(join(folder, 'tls'))
  const template = await provideTemplate('slapd', SLAPD, async (target) => {
    const config = join(folder, 'template.conf')
    writeFileSync(config, configuration(folder, target, {}))
    await load(config, slapdEntries())
  })
  copyFolder(template, data)
  const config = join(folder, 'slapd.conf')
  writeFileSync(config, configuration(folder, data, options))
  mkdirSync(join(folder, 'run'))
  if (options.hugePhoto) await load(config, [hugePhotoEntry()])

  return withFreePorts(2, async (port, tlsPort) => {
    const host = '127.0.0.1'
    const urls = `ldap://${host}:${port} ldaps://${host}:${tlsPort}`
    const server = await openServer(folder, {
      program: SLAPD,
      args: ['-d', '0', '-f', config, '-h', urls], // a debug level, even 0, keeps it in the foreground
      addresses: [port, tlsPort].map((each) => ({ host, port: each })),
    })
    return directoryOf(server, certificates, {
      kind: 'slapd',
      port,
      tlsPort,
      baseDn: BASE,
      usersBase: USERS,
      groupsBase: GROUPS_BASE,
      netgroupsBase: NETGROUPS_BASE,
      serviceAccount: { dn: ACCOUNTS.service, password: PASSWORD },
      administrator: { dn: `cn=admin,${BASE}`, password: PASSWORD },
      loginAttribute: 'uid',
    })
  })
}

/** Writes into the files of the stopped server, which allows attributes that only the server may write, such as memberOf. */
async function load(config: string, entries: readonly Entry[]): Promise<void> {
  const slapadd = promisify(execFile)(SLAPD, ['-T', 'add', '-q', '-f', config])
  slapadd.child.stdin?.end(toLdif(entries))
  await slapadd
}

function configuration(folder: string, data: string, options: SlapdOptions): string {
  const { certificate = 'server', anonymous = 'refused', onlySecureBinds = false } = options
  const reading = anonymous === 'reads' ? 'read' : 'none'
  return `
${['core', 'cosine', 'inetorgperson', 'nis'].map((each) => `include ${SCHEMAS}/${each}.schema`).join('\n')}
modulepath ${MODULES}
${['back_mdb', 'memberof', 'ppolicy'].map((each) => `moduleload ${each}`).join('\n')}
pidfile ${folder}/run/pid
argsfile ${folder}/run/args
TLSCACertificateFile ${folder}/tls/ca.crt
TLSCertificateFile ${folder}/tls/${certificate}.crt
TLSCertificateKeyFile ${folder}/tls/${certificate}.key
TLSVerifyClient never
sizelimit size.soft=500 size.hard=500 size.prtotal=unlimited
${onlySecureBinds ? 'security simple_bind=128' : ''}
${anonymous === 'refused' ? 'disallow bind_anon' : ''}
sortvals member memberOf memberUid
database mdb
suffix "${BASE}"
rootdn "cn=admin,${BASE}"
rootpw ${PASSWORD}
directory ${data}
maxsize 536870912
dbnosync
index objectClass,uid,cn,mail,member,memberOf,memberUid eq
limits dn.exact="${ACCOUNTS.service}" size=unlimited
limits dn.exact="${ACCOUNTS.limited}" size=5 size.prtotal=5
limits dn.exact="${ACCOUNTS.unpaged}" size=unlimited size.prtotal=disabled
access to attrs=userPassword by anonymous auth by self write by * none
access to *
  by dn.exact="${ACCOUNTS.blind}" none
  by dn.subtree="ou=services,${BASE}" read
  by dn.subtree="${USERS}" read
  by anonymous ${reading}
overlay memberof
memberof-group-oc groupOfNames
memberof-member-ad member
memberof-memberof-ad memberOf
overlay ppolicy
ppolicy_default "cn=default,ou=policies,${BASE}"
`
}
