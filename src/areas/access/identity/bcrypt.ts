const DIGITS = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const ROUNDS = 16
const P_WORDS = ROUNDS + 2
const S_WORDS = 4 * 256
/** `OrpheanBeholderScryDoubt`, the text that bcrypt encrypts. */
const TEXT = [0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274] as const

/**
 * Computes the bcrypt hash of a password with the salt of a stored one, `$2a$04$` and 22 characters. It takes milliseconds
 * at the cost of 4 that existing servers use. Only passwords from backups of such servers are hashed so.
 */
export function hashBcrypt(password: string, stored: string): string {
  const [, prefix = '', cost = '', salt = ''] = /^(\$2[abxy]\$(\d\d)\$)([./A-Za-z0-9]{22})/.exec(stored) ?? []
  if (prefix === '' || Number(cost) > MOST_COST) throw new Error('no bcrypt salt')
  const key = toWords(Buffer.concat([Buffer.from(password, 'utf8').subarray(0, 72), Buffer.of(0)]), P_WORDS)
  const state = computeState(key, toWords(parseSalt(salt), 4), 2 ** Number(cost))
  const words = Uint32Array.from(TEXT)
  for (let block = 0; block < words.length; block += 2)
    for (let time = 0; time < 64; time++) encryptBlock(state, words, block)
  const bytes = Buffer.alloc(24)
  words.forEach((word, at) => void bytes.writeUInt32BE(word, at * 4))
  return `${prefix}${salt}${encode(bytes.subarray(0, 23))}`
}

/** A higher cost would keep a login busy for seconds; existing servers do not use it. */
const MOST_COST = 14

interface State {
  readonly p: Uint32Array
  readonly s: Uint32Array
}

function computeState(key: readonly number[], salt: readonly number[], times: number): State {
  const [p, s] = [loadPi().slice(0, P_WORDS), loadPi().slice(P_WORDS)]
  const state = { p, s }
  expand(state, key, salt)
  const saltKey = Array.from({ length: P_WORDS }, (_none, at) => salt[at % 4] ?? 0)
  for (let time = 0; time < times; time++) {
    expand(state, key, NO_SALT)
    expand(state, saltKey, NO_SALT)
  }
  return state
}

const NO_SALT = [0, 0, 0, 0] as const

/** Mixes a key and a salt into the state. */
function expand(state: State, key: readonly number[], salt: readonly number[]): void {
  const { p, s } = state
  for (let at = 0; at < P_WORDS; at++) p[at] = (p[at] ?? 0) ^ (key[at] ?? 0)
  const block = new Uint32Array(2)
  let taken = 0
  for (const words of [p, s]) {
    for (let at = 0; at < words.length; at += 2) {
      block[0] = (block[0] ?? 0) ^ (salt[taken++ % 4] ?? 0)
      block[1] = (block[1] ?? 0) ^ (salt[taken++ % 4] ?? 0)
      encryptBlock(state, block, 0)
      words[at] = block[0] ?? 0
      words[at + 1] = block[1] ?? 0
    }
  }
}

/** Encrypts two words in place: Blowfish. */
function encryptBlock({ p, s }: State, words: Uint32Array, at: number): void {
  let left = (words[at] ?? 0) ^ (p[0] ?? 0)
  let right = words[at + 1] ?? 0
  for (let round = 1; round <= ROUNDS; round += 2) {
    right ^= computeMix(s, left) ^ (p[round] ?? 0)
    left ^= computeMix(s, right) ^ (p[round + 1] ?? 0)
  }
  words[at] = right ^ (p[P_WORDS - 1] ?? 0)
  words[at + 1] = left
}

function computeMix(s: Uint32Array, x: number): number {
  const sum = ((s[x >>> 24] ?? 0) + (s[256 + ((x >>> 16) & 255)] ?? 0)) ^ (s[512 + ((x >>> 8) & 255)] ?? 0)
  return sum + (s[768 + (x & 255)] ?? 0)
}

/** The words of bytes, repeated to this number of words. */
function toWords(bytes: Uint8Array, length: number): number[] {
  const readByte = (at: number) => bytes[at % bytes.length] ?? 0
  return Array.from({ length }, (_none, at) =>
    [0, 1, 2, 3].reduce((word, part) => ((word << 8) | readByte(at * 4 + part)) >>> 0, 0),
  )
}

let pi: Uint32Array | undefined

/** The first bits of the fraction of pi, from which Blowfish starts, by the formula of Machin. */
function loadPi(): Uint32Array {
  if (pi) return pi
  const bits = BigInt((P_WORDS + S_WORDS) * 32)
  const guard = 64n
  const one = 1n << (bits + guard)
  const computeArctan = (inverse: bigint) => {
    let sum = 0n
    let term = one / inverse
    for (let n = 1n; term !== 0n; n += 2n, term /= inverse * inverse) sum += n % 4n === 1n ? term / n : -(term / n)
    return sum
  }
  const fraction = (16n * computeArctan(5n) - 4n * computeArctan(239n) - 3n * one) >> guard
  const hex = fraction.toString(16).padStart(Number(bits / 4n), '0')
  pi = Uint32Array.from(hex.match(/.{8}/g) ?? [], (word) => Number.parseInt(word, 16))
  return pi
}

function parseSalt(text: string): Buffer {
  const bits = [...text].map((digit) => DIGITS.indexOf(digit).toString(2).padStart(6, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).slice(0, 16).map((byte) => Number.parseInt(byte, 2)))
}

function encode(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,6}/g) ?? []).map((part) => DIGITS[Number.parseInt(part.padEnd(6, '0'), 2)]).join('')
}
