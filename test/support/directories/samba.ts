import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'ldapts'
import { endingWithUs, execFile } from '../processes.ts'
import { makeCertificates } from './certificates.ts'
import { directoryOf, type TestDirectory } from './directory.ts'
import { addEntries, nestGroups } from './entries.ts'
import { type Endpoint, forward } from './forward.ts'
import { PASSWORD } from './people.ts'
import {
  BASE,
  GROUPS_BASE,
  groupDn,
  NETGROUPS_BASE,
  REALM,
  SERVICE,
  sambaEntries,
  sambaGroups,
  USERS,
} from './samba-data.ts'
import { endIfThisFails, makeFolder, openServer, type Server, withFreePorts } from './server.ts'
import { copyFolder, provideTemplate } from './template.ts'

const SAMBA = '/usr/sbin/samba'
const PYTHON = '/usr/bin/python3' // the system's, which has Samba's modules
const SETUP = '/usr/share/samba/setup'
const DOMAIN = 'EXAMPLE'
const ADMINISTRATOR = `Administrator@${REALM}`
const HOST = '127.0.0.1'

export const hasSamba = () => existsSync(SAMBA) && existsSync(SETUP)

/**
 * Starts Samba as a domain controller, the directory only (samba-data.ts). Its fixed low ports are forwarded from high ones.
 */
export async function startSamba(): Promise<TestDirectory> {
  const template = await provideTemplate('samba', SAMBA, async (target) => {
    const made = await start(makeDomain)
    await endIfThisFails(made.server, seed(made.tlsPort, made.certificates.ca))
    await made.server.stop()
    cpSync(made.data, target, { recursive: true, filter: (path) => !/\/(msg\.\w+|ldap\w*)$/.test(path) }) // sockets
    await made.server[Symbol.asyncDispose]()
  })
  const { server, port, tlsPort, certificates } = await start(async (data) => copyFolder(template, data))
  return directoryOf(server, certificates, {
    kind: 'samba',
    port,
    tlsPort,
    baseDn: BASE,
    usersBase: USERS,
    groupsBase: GROUPS_BASE,
    netgroupsBase: NETGROUPS_BASE,
    serviceAccount: { dn: SERVICE, password: PASSWORD },
    administrator: { dn: ADMINISTRATOR, password: PASSWORD },
    loginAttribute: 'sAMAccountName',
  })
}

async function start(fill: (data: string) => Promise<void>) {
  const folder = makeFolder()
  const data = join(folder, 'data')
  for (const each of ['data', 'run']) mkdirSync(join(folder, each))
  const certificates = await makeCertificates(join(folder, 'tls'))
  await fill(data)
  // A separate address lets several run at once; 127/8 needs no setup.
  const address = `127.${randomInt(64, 128)}.${randomInt(256)}.${randomInt(1, 255)}`
  const config = join(folder, 'smb.conf')
  writeFileSync(config, configuration(folder, data, address))
  const command = [SAMBA, '-F', '--no-process-group', '-M', 'single', '--debug-stdout', '-s', config]

  const isAllowed = await mayListen(address)
  const endpoint = (port: number): Endpoint =>
    isAllowed ? { host: address, port } : { path: join(folder, 'run', String(port)) }
  const [program = '', ...args] = isAllowed ? command : inNamespace(join(folder, 'run'), address, command)
  const server = await openServer(folder, { program, args, addresses: [389, 636].map(endpoint) })

  return withFreePorts(2, async (port, tlsPort) => {
    const open = () =>
      Promise.all([forward({ host: HOST, port }, endpoint(389)), forward({ host: HOST, port: tlsPort }, endpoint(636))])
    return { data, certificates, port, tlsPort, server: await together(server, open) }
  })
}

/** Closes the high ports, too, while the server is stopped. */
async function together(server: Server, open: () => Promise<AsyncDisposable[]>): Promise<Server> {
  let forwards = await open()
  const close = async () => {
    await Promise.all(forwards.map((each) => each[Symbol.asyncDispose]()))
    forwards = []
  }
  const start = async () => {
    await server.start()
    if (forwards.length === 0) forwards = await open()
  }
  const stop = async () => {
    await close()
    await server.stop()
  }
  return {
    ...server,
    start,
    stop,
    restart: async () => {
      await stop()
      await start()
    },
    async [Symbol.asyncDispose]() {
      await close()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function makeDomain(data: string): Promise<void> {
  const script = [join(import.meta.dirname, 'samba-provision.py'), data, REALM, DOMAIN, HOST, PASSWORD]
  const isRoot = process.getuid?.() === 0
  const [program = '', ...args] = isRoot ? [PYTHON, ...script] : ['unshare', '-Ur', PYTHON, ...script]
  await promisify(execFile)(program, args, { maxBuffer: 1e8 })
}

async function seed(tlsPort: number, ca: string): Promise<void> {
  const client = new Client({ url: `ldaps://${HOST}:${tlsPort}`, tlsOptions: { ca }, timeout: 20_000 })
  await client.bind(ADMINISTRATOR, PASSWORD)
  await addEntries(client, sambaEntries())
  await nestGroups(client, sambaGroups(), groupDn)
  await client.unbind()
}

async function mayListen(host: string): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(389, host), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

function inNamespace(sockets: string, address: string, command: readonly string[]): string[] {
  const script = join(import.meta.dirname, 'samba-namespace.ts')
  const inside = [process.execPath, script, sockets, address, '389,636', ...command]
  return ['unshare', '-Urn', ...endingWithUs(inside)] // behind unshare, which resets the signal of its parent's death
}

/** The minimal configuration that serves LDAP: one process, and nothing outside its folder. */
function configuration(folder: string, data: string, address: string): string {
  return `[global]
realm = ${REALM.toUpperCase()}
workgroup = ${DOMAIN}
netbios name = DC1
server role = active directory domain controller
server services = ldap
dcerpc endpoint servers = none
interfaces = ${address}/8
bind interfaces only = yes
private dir = ${data}/private
lock directory = ${data}
state directory = ${data}/state
cache directory = ${data}/cache
binddns dir = ${data}/bind-dns
pid directory = ${folder}/run
ncalrpc dir = ${folder}/run/ncalrpc
winbindd socket directory = ${folder}/run/winbindd
ntp signd socket directory = ${folder}/run/ntp_signd
idmap_ldb:use rfc2307 = yes
ldb:nosync = yes
tls enabled = yes
tls keyfile = ${folder}/tls/server.key
tls certfile = ${folder}/tls/server.crt
tls cafile = ${folder}/tls/ca.crt
ldap server require strong auth = yes
log level = 1
`
}
