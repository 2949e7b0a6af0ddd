import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:https'

/** An answer with its parsed JSON. */
export interface Received {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a client looks into answers of every shape
  readonly body: any
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** An identity as the client stores it: two files. */
export interface KeptIdentity {
  readonly cert: string
  readonly key: string
}

/** The credentials for a registration without a key. */
export interface Login {
  readonly username: string
  readonly password: string
}

/** A subscription client: its requests over TLS in their order, with what it stores between them. */
export class SubscriptionClient {
  identity: KeptIdentity | null = null
  readonly #address: string
  readonly #authority: string

  constructor(address: string, authority: string) {
    this.#address = address
    this.#authority = authority
  }

  /** The uuid in the subject of the stored certificate. */
  get uuid(): string {
    const subject = this.identity ? new X509Certificate(this.identity.cert).subject : ''
    return /^CN=(.+)$/m.exec(subject)?.[1] ?? ''
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    as: KeptIdentity | Login | null = this.identity,
  ): Promise<Received> {
    const text = body === undefined ? '' : JSON.stringify(body)
    const sent = request(`${this.#address}/rhsm${path}`, {
      ...{ method, ca: this.#authority, agent: false },
      ...(as && 'cert' in as && { cert: as.cert, key: as.key }),
      ...(as && 'username' in as && { auth: `${as.username}:${as.password}` }),
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    })
    sent.end(text)
    const [answer] = await once(sent, 'response')
    const chunks = await answer.toArray()
    const received = Buffer.concat(chunks).toString('utf8')
    return {
      status: answer.statusCode,
      body: received === '' ? undefined : JSON.parse(received),
      headers: answer.headers,
    }
  }

  /**
   * Performs `register --org --activationkey`: asks for the features of the service, registers without an identity, and
   * stores the one that it gets.
   */
  async register(owner: string, keys: string, name: string): Promise<Received> {
    await this.send('GET', '/', undefined, null)
    const status = await this.send('GET', '/status', undefined, null)
    if (!status.body.managerCapabilities.includes('syspurpose')) throw new Error('the service cannot what is needed')
    const query = `owner=${owner}&activation_keys=${encodeURIComponent(keys)}`
    return this.#keep(await this.send('POST', `/consumers?${query}`, bodyOf(name), null))
  }

  /**
   * Performs `register --username --password --environments`: asks for the user's organizations and their environments, and
   * sends the wanted ones in the body where the service supports several, otherwise one in the path.
   */
  async registerAs(login: Login, name: string, environments: readonly string[], older = false): Promise<Received> {
    await this.send('GET', '/status/', undefined, null)
    const owners = await this.send('GET', `/users/${login.username}/owners`, undefined, login)
    const { key } = owners.body.at(-1)
    const { managerCapabilities } = (await this.send('GET', '/status', undefined, null)).body
    const several = managerCapabilities.includes('multi_environment') && !older
    const ids = []
    for (const wanted of environments) {
      const query = `name=${encodeURIComponent(wanted)}`
      const found = await this.send('GET', `/owners/${key}/environments?${query}`, undefined, login)
      ids.push(found.body[0].id)
    }
    const path = several ? `/consumers?owner=${key}` : `/environments/${ids[0]}/consumers`
    const body = { ...bodyOf(name), ...(several && { environments: ids.map((id) => ({ id })) }) }
    return this.#keep(await this.send('POST', path, body, login))
  }

  #keep(answer: Received): Received {
    if (answer.status === 200) this.identity = { cert: answer.body.idCert.cert, key: answer.body.idCert.key }
    return answer
  }

  /** Sends a request about itself; it deletes its identity when the answer is 410. */
  async own(method: string, below = '', body?: unknown): Promise<Received> {
    const answer = await this.send(method, `/consumers/${this.uuid}${below}`, body)
    if (answer.status === 410 && answer.body.deletedId === this.uuid) this.identity = null
    return answer
  }
}

/** Builds what it reports about its host. */
function bodyOf(name: string): object {
  const dmi = createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return {
    ...{ type: 'system', name, contentTags: [], role: '', addOns: [], usage: '', serviceLevel: '' },
    installedProducts: [{ productId: '69', productName: 'Base', version: '9.4', arch: 'x86_64' }],
    facts: { 'network.hostname': name, 'dmi.system.uuid': dmi, 'cpu.cpu(s)': 4, 'virt.is_guest': true },
  }
}
