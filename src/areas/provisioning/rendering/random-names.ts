import { hash, randomInt } from 'node:crypto'

const FIRST = `amber ash aspen azure basil birch blue bold brave bright calm cedar clear clever coral crisp dapper dawn
  deep delta eager early ember fair fern fleet fresh gentle glad golden grand green happy hazel honest humble ivory ivy jade
  jolly keen kind lark lime lively lucky lunar maple merry mild mint misty noble north oak olive opal pearl plain`
const LAST = `anchor arrow badger barrow beacon bear beaver bison bridge brook canyon castle cliff cloud comet coyote crane
  creek crow dale deer delta dune eagle falcon finch fjord fox gale garden glen grove harbor hawk heron hill island jay
  lagoon lake lantern lynx marsh meadow mesa moose otter owl peak pine plover pond quail raven reef ridge river robin sparrow`

const FIRSTS = FIRST.split(/\s+/)
const LASTS = LAST.split(/\s+/)

/** Makes a random name for a host, of two words. */
export function makeRandomName(): string {
  return `${FIRSTS[randomInt(FIRSTS.length)]}-${LASTS[randomInt(LASTS.length)]}`
}

/** A name of four words, always the same for a hardware address. */
export function nameOfMac(mac: string): string {
  const bytes = hash('sha256', mac.toLowerCase(), 'buffer')
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const pickWord = (list: readonly string[], byte: number) => list[byte % list.length] ?? ''
  return [pickWord(FIRSTS, a), pickWord(LASTS, b), pickWord(FIRSTS, c), pickWord(LASTS, d)].join('-')
}
