import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'ldapts'
import { execFile } from '../processes.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
import { directoryOf, type TestDirectory } from './directory.ts'
import { BASE, ds389Entries, ds389Groups, GROUPS_BASE, groupDn, NETGROUPS_BASE, SERVICE, USERS } from './ds389-data.ts'
import { addEntries, nestGroups } from './entries.ts'
import { HASHED_PASSWORD, PASSWORD } from './people.ts'
import { endIfThisFails, makeFolder, openServer, withFreePorts } from './server.ts'
import { copyFolder, provideTemplate } from './template.ts'

const NS_SLAPD = '/usr/sbin/ns-slapd'
const TEMPLATES = '/usr/share/dirsrv/data'
const ADMINISTRATOR = 'cn=Directory Manager'
const HOST = '127.0.0.1'

export const hasDs389 = () => existsSync(NS_SLAPD) && existsSync(TEMPLATES)

/**
 * Starts 389 Directory Server with memberOf for nested groups, and a copy of each person for older clients (ds389-data.ts).
 */
export async function startDs389(): Promise<TestDirectory> {
  const template = await provideTemplate('ds389', NS_SLAPD, async (target) => {
    const { folder, server, tlsPort, certificates } = await start()
    await endIfThisFails(server, seed(tlsPort, certificates))
    await server.stop()
    cpSync(join(folder, 'db'), target, { recursive: true })
    await server[Symbol.asyncDispose]()
  })
  const { server, port, tlsPort, certificates } = await start(template)
  return directoryOf(server, certificates, {
    kind: 'ds389',
    port,
    tlsPort,
    baseDn: BASE,
    usersBase: USERS,
    groupsBase: GROUPS_BASE,
    netgroupsBase: NETGROUPS_BASE,
    serviceAccount: { dn: SERVICE, password: PASSWORD },
    administrator: { dn: ADMINISTRATOR, password: PASSWORD },
    loginAttribute: 'uid',
  })
}

/** Starts it with the database of a template, or with an empty one. */
function start(template: string | null = null) {
  return withFreePorts(2, async (port, tlsPort) => {
    const folder = makeFolder()
    const certificates = await makeCertificates(join(folder, 'tls'))
    const config = await configure(folder, port, tlsPort)
    if (template) copyFolder(template, join(folder, 'db'))
    const server = await openServer(folder, {
      program: NS_SLAPD,
      args: ['-D', config, '-i', join(folder, 'run/pid'), '-d', '0'], // a debug level, even 0, keeps it in the foreground
      addresses: [port, tlsPort].map((each) => ({ host: HOST, port: each })),
      leavesBehind: [`/dev/shm/sem.${basename(config)}.stats`],
    })
    return { folder, certificates, server, port, tlsPort }
  })
}

async function seed(tlsPort: number, { ca }: Certificates): Promise<void> {
  const client = new Client({ url: `ldaps://${HOST}:${tlsPort}`, tlsOptions: { ca }, timeout: 20_000 })
  await client.bind(ADMINISTRATOR, PASSWORD)
  await addEntries(client, ds389Entries())
  await nestGroups(client, ds389Groups(), groupDn)
  await client.unbind()
}

/**
 * Fills in the server's configuration templates, because its own installer requires system folders. Yields the configuration
 * folder.
 */
async function configure(folder: string, port: number, tlsPort: number): Promise<string> {
  const inside = (name: string) => join(folder, name)
  // The server names a system-wide semaphore after this folder.
  const config = inside(basename(folder))
  for (const each of [
    `${basename(folder)}/schema`,
    'db',
    'dbhome',
    'bak',
    'ldif',
    'lock',
    'log',
    'run',
    'inst',
    'tmp',
  ]) {
    mkdirSync(inside(each), { recursive: true })
  }
  copyReadable('slapd-collations.conf', config, '')
  copyReadable('certmap.conf', config, 'certmap default default\n')
  writeFileSync(join(config, 'schema/60nested.ldif'), NESTED_GROUPS)
  await importCertificates(folder, config)

  const values: Readonly<Record<string, string>> = {
    schema_dir: join(config, 'schema'),
    cert_dir: config,
    config_dir: config,
    lock_dir: inside('lock'),
    tmp_dir: inside('tmp'),
    ldif_dir: inside('ldif'),
    bak_dir: inside('bak'),
    run_dir: inside('run'),
    inst_dir: inside('inst'),
    log_dir: inside('log'),
    db_dir: inside('db'),
    db_home_dir: inside('dbhome'),
    db_lib: 'bdb',
    fqdn: 'localhost',
    ds_port: String(port),
    ds_user: userInfo().username,
    rootdn: ADMINISTRATOR,
    ds_passwd: HASHED_PASSWORD,
    ds_suffix: BASE,
    ds_bename: 'userRoot',
    ldapi_enabled: 'off',
    ldapi: inside('run/ldapi'),
    ldapi_autobind: 'off',
  }
  const templates = ['template-dse.ldif', 'template-suffix-db.ldif'].map((each) =>
    readFileSync(join(TEMPLATES, each), 'utf8'),
  )
  const filled = templates.join('\n\n').replace(/%(\w+)%/g, (whole, name: string) => values[name] ?? whole)
  const blocks = filled.split(/\n{2,}/).map((block) => block.replace(/^#.*\n/gm, '').trim())
  const entries = blocks.filter(Boolean).map((block) => withSettings(block, settings(tlsPort)))
  // Two empty lines in a row would make the server exit without a message.
  writeFileSync(join(config, 'dse.ldif'), `${entries.join('\n\n')}\n`)
  return config
}

/** Values to set in entries, by the beginning of the DN in lower case. */
function settings(tlsPort: number): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    'cn=config': {
      'nsslapd-listenhost': HOST,
      'nsslapd-securelistenhost': HOST,
      'nsslapd-security': 'on',
      'nsslapd-secureport': String(tlsPort),
      'nsslapd-allow-anonymous-access': 'rootdse',
      'nsslapd-sizelimit': '2000',
    },
    'cn=memberof plugin,': { 'nsslapd-pluginenabled': 'on', memberOfAutoAddOC: 'nsMemberOf' },
    'cn=referential integrity postop': { 'nsslapd-pluginenabled': 'on' },
    // By default it would take 100 MB for caches.
    'cn=config,cn=ldbm database': { 'nsslapd-cache-autosize': '0', 'nsslapd-dbcachesize': '4000000' },
  }
}

function withSettings(block: string, all: ReturnType<typeof settings>): string {
  const dn = block.split('\n', 1)[0]?.slice('dn:'.length).trim().toLowerCase() ?? ''
  const found = Object.entries(all).find(([start]) => (start === 'cn=config' ? dn === start : dn.startsWith(start)))
  if (!found) return block
  const [, own] = found
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const kept = block.split('\n').filter((line) => !names.has(line.split(':', 1)[0]?.toLowerCase() ?? ''))
  return [...kept, ...Object.entries(own).map(([name, value]) => `${name}: ${value}`)].join('\n')
}

/**
 * Copies a file of the system if it is readable, because it may be readable for the server's user only; otherwise writes a
 * minimal one.
 */
function copyReadable(name: string, config: string, otherwise: string): void {
  try {
    copyFileSync(join('/etc/dirsrv/config', name), join(config, name))
  } catch {
    writeFileSync(join(config, name), otherwise)
  }
}

async function importCertificates(folder: string, config: string): Promise<void> {
  const run = promisify(execFile)
  const options = { cwd: join(folder, 'tls') }
  const store = ['-d', `sql:${config}`]
  const pkcs12 = ['pkcs12', '-export', '-in', 'server.crt', '-inkey', 'server.key', '-name', 'Server-Cert']
  await Promise.all([
    run('certutil', ['-N', ...store, '--empty-password'], options),
    run('openssl', [...pkcs12, '-passout', 'pass:x', '-out', 'server.p12'], options),
  ])
  await run('certutil', ['-A', ...store, '-n', 'CA', '-t', 'CT,,', '-a', '-i', 'ca.crt'], options)
  await run('pk12util', ['-i', 'server.p12', ...store, '-W', 'x', '-K', ''], options)
}

const NESTED_GROUPS = `dn: cn=schema
objectClasses: ( 2.16.840.1.113730.3.8.4.3 NAME 'nestedGroup' SUP groupOfNames STRUCTURAL MAY memberOf )
`
