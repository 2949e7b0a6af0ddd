import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { Failure } from '../../errors.ts'

/** A text encrypted with AES-256-GCM; deriving its key from the passphrase takes 64 MiB and a tenth of a second. */
export const SEALED = z.strictObject({ salt: z.string(), nonce: z.string(), tag: z.string(), text: z.string() })

/** An encrypted text with what is needed, beside the passphrase, to decrypt it. */
export type Sealed = z.infer<typeof SEALED>

/** Encrypts a text with a passphrase. */
export async function seal(text: string, passphrase: string): Promise<Sealed> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const [written, ...others] = [sealed, salt, nonce, cipher.getAuthTag()].map((bytes) => bytes.toString('base64'))
  const [saltText = '', nonceText = '', tag = ''] = others
  return { salt: saltText, nonce: nonceText, tag, text: written ?? '' }
}

/** Decrypts a text. {@throws Failure} for a wrong passphrase */
export async function unseal(sealed: Sealed, passphrase: string): Promise<string> {
  const [salt, nonce, tag, text] = [sealed.salt, sealed.nonce, sealed.tag, sealed.text].map(fromBase64)
  if (!salt || !nonce || !tag || !text) throw new Error('a sealed text has four parts')
  const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce)
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch (cause) {
    const message =
      'The passphrase is not the one that the backup was made with: set MILLWRIGHT_BACKUP_PASSPHRASE to that'
    throw new Failure('unavailable', message, {}, { cause })
  }
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64')
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return derive(passphrase.normalize('NFC'), salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 })
}
