import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What an attacker, or a device, does otherwise than a right answer would be. */
interface Otherwise {
  readonly origin?: string
  readonly challenge?: string
  readonly counter?: number
}

/** What the service sends for a passkey, as far as one reads it. */
interface Options {
  readonly challenge: string
}

/**
 * A passkey in software, as a device holds it: a key of P-256 that belongs to one host name (WebAuthn 6.1, 6.5). Its answers are
 * those of a browser at `origin`.
 */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credential = randomBytes(16)
  const id = credential.toString('base64url')
  const host = createHash('sha256').update(new URL(origin).hostname).digest()
  let used = 0

  const describeClient = (type: string, { challenge }: Options, otherwise: Otherwise) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...otherwise, counter: undefined }))
  /** The data that is signed: the host, the flags, the counter. */
  const describeUse = (flags: number, counter: number) => {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([host, Buffer.from([flags]), counted])
  }
  const answer = (response: object) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })

  return {
    /** Answers `navigator.credentials.create`, without a statement about its maker. */
    attest: (options: Options, otherwise: Otherwise = {}) => {
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'), // EC2, ES256, P-256, and x follows
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'), // y follows
        Buffer.from(y, 'base64url'),
      ])
      const length = Buffer.from([0, credential.length])
      const data = Buffer.concat([describeUse(0x45, used), Buffer.alloc(16), length, credential, key])
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'), // fmt none, attStmt {}, authData
        Buffer.from([data.length]),
        data,
      ])
      return answer({
        clientDataJSON: describeClient('webauthn.create', options, otherwise).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      })
    },
    /** Answers `navigator.credentials.get`, and counts. */
    assert: (options: Options, otherwise: Otherwise = {}) => {
      used++
      const data = describeUse(0x05, otherwise.counter ?? used)
      const client = describeClient('webauthn.get', options, otherwise)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}
