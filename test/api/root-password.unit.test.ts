import { verify } from 'unixcrypt'
import { describe, expect, test } from 'vitest'
import { hashRootPassword } from '../../src/areas/inventory/root-password.ts'

describe('a root password', () => {
  test('is hashed by the method of the operating system', () => {
    const sha512 = hashRootPassword('correct horse', 'SHA512')
    expect(sha512).toMatch(/^\$6\$[./\w]{16}\$[./\w]{86}$/)
    expect(verify('correct horse', String(sha512))).toBe(true)
    expect(verify('another horse', String(sha512))).toBe(false)
    expect(hashRootPassword('correct horse', 'SHA256')).toMatch(/^\$5\$[./\w]{16}\$[./\w]{43}$/)
    expect(hashRootPassword('correct horse', 'MD5')).toMatch(/^\$1\$[./\w]{8}\$[./\w]{22}$/)
    expect(hashRootPassword('correct horse', 'Base64')).toBe('Y29ycmVjdCBob3JzZQ==')
    expect(Buffer.from(String(hashRootPassword('x', 'Base64-Windows')), 'base64').toString('utf16le')).toBe(
      'xAdministratorPassword',
    )
  })

  // The output of `openssl passwd -1 -salt abcdefgh`.
  test.each([
    ['password', '$1$abcdefgh$G//4keteveJp0qb8z2DxG/'],
    ['x', '$1$abcdefgh$znAnv9M.XU2pRYfmSs46h/'],
    ['a much longer password than sixteen bytes äöü', '$1$abcdefgh$gFaHnzgYmBHucRchftmxC0'],
  ])('%s by MD5', (plain, hash) => {
    expect(hashRootPassword(plain, 'MD5', hash)).toBe(hash)
  })

  test('that is a hash already stays as it is', () => {
    for (const hash of [
      '$1$abcdefgh$G//4keteveJp0qb8z2DxG/',
      '$6$rounds=9999$salt$abc/.',
      '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o',
    ])
      expect(hashRootPassword(hash, 'SHA512')).toBe(hash)
    expect(hashRootPassword('$6 is no hash', 'SHA512')).toMatch(/^\$6\$.{16}\$/)
  })

  test('keeps its hash when it is sent again, and only then', () => {
    for (const method of ['SHA512', 'SHA256', 'MD5'] as const) {
      const stored = hashRootPassword('correct horse', method)
      expect(hashRootPassword('correct horse', method, stored), method).toBe(stored)
      expect(hashRootPassword('another horse', method, stored), method).not.toBe(stored)
    }
    const sha512 = hashRootPassword('correct horse', 'SHA512')
    expect(hashRootPassword('correct horse', 'SHA256', sha512)).toMatch(/^\$5\$/)
  })

  test('of nothing is none', () => {
    expect(hashRootPassword(null, 'SHA512')).toBeNull()
    expect(hashRootPassword('', 'SHA512', '$6$x$y')).toBeNull()
  })
})
