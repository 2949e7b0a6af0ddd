// Completes package-lock.json after `npm install`: npm leaves out optional packages for other platforms when it could not
// load their metadata, and `npm ci` then refuses the file. Run: node scripts/complete-lockfile.mjs
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
const added = []

for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`
    const platform = platformOf(name)
    if (place in lock.packages || !platform.os) continue
    lock.packages[place] = { version, ...platform, ...(owner.dev ? { dev: true } : {}), optional: true }
    added.push(name)
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? 'package-lock.json was complete' : `added to package-lock.json: ${added.join(', ')}`)

/** Yields the platforms of a package like `@scope/binding-linux-x64-musl`, as far as its name tells. */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const pickOne = (known) => known.filter((word) => words.includes(word)).slice(0, 1)
  const os = pickOne([
    'android',
    'darwin',
    'linux',
    'win32',
    'freebsd',
    'netbsd',
    'openbsd',
    'openharmony',
    'sunos',
    'aix',
  ])
  const cpu = pickOne(['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el'])
  const libc = words.includes('musl') ? ['musl'] : os[0] === 'linux' && words.includes('gnu') ? ['glibc'] : null
  return { ...(cpu[0] && { cpu }), ...(libc && { libc }), ...(os[0] && { os }) }
}
