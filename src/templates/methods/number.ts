import { computeArithmetic, computeRemainder, divideFloor, requireBounded } from '../arithmetic.ts'
import { mustOrder, order } from '../compare.ts'
import { fail } from '../error.ts'
import { formatFloat } from '../float.ts'
import { type Block, kindOf, type Machine, type Method, type Value } from '../values.ts'
import { count, countList, createTable, requireSize } from './table.ts'

type Number_ = bigint | number

function compareBy(decide: (result: number) => boolean): readonly [1, 1, Method<Number_>] {
  return [
    1,
    1,
    (self, [other = null], machine) => decide(order(self, other, machine) ?? refuseIncomparable(self, other)),
  ]
}

function buildCalculation(operator: string): readonly [1, 1, Method<Number_>] {
  return [1, 1, (self, [other = null], machine) => computeArithmetic(operator, self, other, machine)]
}

const BOTH = {
  '+': buildCalculation('+'),
  '-': buildCalculation('-'),
  '*': buildCalculation('*'),
  '/': buildCalculation('/'),
  '%': buildCalculation('%'),
  '**': buildCalculation('**'),
  '<': compareBy((result) => result < 0),
  '<=': compareBy((result) => result <= 0),
  '>': compareBy((result) => result > 0),
  '>=': compareBy((result) => result >= 0),
  '-@': [0, 0, (self: Number_) => -self],
  fdiv: [1, 1, (self: Number_, [other]: readonly Value[]) => Number(self) / Number(requireNumber(other))],
  divmod: [
    1,
    1,
    (self: Number_, [other = null]: readonly Value[], machine: Machine) => divideWithRemainder(self, other, machine),
  ],
  div: [
    1,
    1,
    (self: Number_, [other = null]: readonly Value[], machine: Machine) =>
      divideWithRemainder(self, other, machine)[0] ?? null,
  ],
  abs: [0, 0, (self: Number_) => (self < 0 ? -self : self)],
  'zero?': [0, 0, (self: Number_) => Number(self) === 0],
  'positive?': [0, 0, (self: Number_) => self > 0],
  'negative?': [0, 0, (self: Number_) => self < 0],
  'nonzero?': [0, 0, (self: Number_) => (Number(self) === 0 ? null : self)],
  'integer?': [0, 0, (self: Number_) => typeof self === 'bigint'],
  'finite?': [0, 0, (self: Number_) => Number.isFinite(Number(self))],
  to_i: [0, 0, (self: Number_) => roundToInteger(self, Math.trunc)],
  to_f: [0, 0, (self: Number_) => Number(self)],
  floor: [0, 1, (self: Number_, args: readonly Value[]) => roundNumber(self, args, Math.floor)],
  ceil: [0, 1, (self: Number_, args: readonly Value[]) => roundNumber(self, args, Math.ceil)],
  round: [0, 1, (self: Number_, args: readonly Value[]) => roundNumber(self, args, roundAwayFromZero)],
  clamp: [
    2,
    2,
    (self: Number_, [low = null, high = null]: readonly Value[], machine: Machine) =>
      clampValue(self, low, high, machine),
  ],
} as const

const NAMES = { modulo: '%', magnitude: 'abs', to_int: 'to_i', truncate: 'to_i', pow: '**' } as const

/** Methods of floats. */
export const FLOAT = createTable<number>({ ...BOTH, 'nan?': [0, 0, (self) => Number.isNaN(self)] }, NAMES)

/** Methods of integers. */
export const INTEGER = createTable<bigint>(
  {
    ...BOTH,
    times: [0, 0, (self, _args, machine, block) => countThrough(self, 0n, self - 1n, machine, block)],
    upto: [1, 1, (self, [last], machine, block) => countThrough(self, self, BigInt(count(last)), machine, block)],
    downto: [1, 1, countDown],
    step: [1, 2, step],
    'even?': [0, 0, (self) => self % 2n === 0n],
    'odd?': [0, 0, (self) => self % 2n !== 0n],
    succ: [0, 0, (self) => self + 1n],
    pred: [0, 0, (self) => self - 1n],
    to_s: [0, 1, (self, [base], machine) => formatDigits(self, base, machine)],
    chr: [
      0,
      0,
      (self) => (self >= 0n && self < 0x80n ? String.fromCharCode(Number(self)) : fail(`${self} out of char range`)),
    ],
    gcd: [1, 1, (self, [other]) => computeDivisor(self, requireWhole(other))],
    digits: [0, 0, (self, _args, machine) => listDigits(self, machine)],
    '<<': [1, 1, (self, [by]) => shiftBits(self, count(by))],
    '>>': [1, 1, (self, [by]) => shiftBits(self, -count(by))],
    '&': [1, 1, (self, [other]) => self & requireWhole(other)],
    '|': [1, 1, (self, [other]) => self | requireWhole(other)],
    '^': [1, 1, (self, [other]) => self ^ requireWhole(other)],
    '[]': [1, 1, (self, [bit]) => shiftBits(self, -requireSize(bit)) & 1n],
    ord: [0, 0, (self) => self],
  },
  { ...NAMES, next: 'succ', inspect: 'to_s' },
)

/** Yields the decimal digits, the last one first. */
function listDigits(self: bigint, machine: Machine): Value {
  const text = self.toString().replace('-', '')
  machine.meter.step(text.length)
  return countList([...text].reverse().map(BigInt), machine)
}

function refuseIncomparable(self: Number_, other: Value): never {
  return fail(`comparison of ${kindOf(self)} with ${kindOf(other)} failed`)
}

function requireNumber(value: Value | undefined): Number_ {
  return typeof value === 'bigint' || typeof value === 'number' ? value : fail(`${kindOf(value ?? null)} is no number`)
}

function requireWhole(value: Value | undefined): bigint {
  return typeof value === 'bigint' ? value : fail(`no implicit conversion from ${kindOf(value ?? null)} to integer`)
}

function divideWithRemainder(self: Number_, other: Value, machine: Machine): Value[] {
  if (typeof self === 'bigint' && typeof other === 'bigint')
    return [divideFloor(self, other), computeRemainder(self, other)]
  const result = Number(self) / Number(requireNumber(other))
  return [roundToInteger(result, Math.floor), computeArithmetic('%', self, other, machine)]
}

function roundToInteger(value: Number_, round: (value: number) => number): bigint {
  if (typeof value === 'bigint') return value
  return Number.isFinite(value) ? BigInt(round(value)) : fail(`${formatFloat(value)} is no integer`)
}

/** Rounds: without places to an integer; with places to a float, or for negative ones an integer to tens. */
function roundNumber(self: Number_, [places]: readonly Value[], round: (value: number) => number): Value {
  const digits = places === undefined ? 0 : count(places)
  if (Math.abs(digits) > 300) return self
  if (digits > 0) return typeof self === 'bigint' ? self : roundShifted(self, digits, round)
  if (digits === 0) return roundToInteger(self, round)
  const unit = 10n ** BigInt(-digits)
  if (typeof self !== 'bigint') return roundToInteger(round(self / Number(unit)), Math.trunc) * unit
  const down = divideFloor(self, unit) * unit
  if (round === Math.floor || down === self) return down
  if (round === Math.ceil) return down + unit
  const twice = (self - down) * 2n
  return twice > unit || (twice === unit && self >= 0n) ? down + unit : down
}

/** Shifts the decimal point by editing the exponent, because multiplying would not be exact. */
function roundShifted(value: number, digits: number, round: (value: number) => number): number {
  const moved = Number(`${value}e${digits}`)
  if (!Number.isFinite(moved)) return Number.isNaN(moved) && Number.isFinite(value) ? value : value
  return Number(`${round(moved)}e-${digits}`)
}

function roundAwayFromZero(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value)
}

function clampValue(self: Value, low: Value, high: Value, machine: Machine): Value {
  if (mustOrder(self, low, machine) < 0) return low
  return mustOrder(self, high, machine) > 0 ? high : self
}

function countThrough(self: bigint, first: bigint, last: bigint, machine: Machine, block: Block | null): Value {
  if (block === null) {
    const length = last < first ? 0 : Number(last - first) + 1
    machine.meter.elements(length)
    machine.meter.step(length)
    return Array.from({ length }, (_, index) => first + BigInt(index))
  }
  for (let at = first; at <= last; at += 1n) block.call([at])
  return self
}

function countDown(...[self, [last], machine, block]: Parameters<Method<bigint>>): Value {
  const end = BigInt(count(last))
  if (block === null) return machine.send(countThrough(self, end, self, machine, null), 'reverse')
  for (let at = self; at >= end; at -= 1n) block.call([at])
  return self
}

function step(...[self, [last, by = 1n], machine, block]: Parameters<Method<bigint>>): Value {
  const stride = requireWhole(by)
  const end = requireWhole(last)
  if (stride === 0n) return fail("step can't be 0")
  const items: Value[] = []
  for (let at = self; stride > 0n ? at <= end : at >= end; at += stride) {
    machine.meter.step()
    machine.meter.elements(1)
    if (block === null) items.push(at)
    else block.call([at])
  }
  return block === null ? items : self
}

function formatDigits(self: bigint, base: Value | undefined, machine: Machine): string {
  const radix = base === undefined ? 10 : count(base)
  if (radix < 2 || radix > 36) return fail(`invalid radix ${radix}`)
  const text = self.toString(radix)
  machine.meter.step(text.length >> 2)
  machine.meter.text(text.length)
  return text
}

function computeDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right]
  for (let round = 0; b !== 0n; round += 1) {
    if (round > 1000) return fail('integer is too big here')
    ;[a, b] = [b, a % b]
  }
  return a
}

function shiftBits(self: bigint, by: number): bigint {
  if (Math.abs(by) > 100_000) return by > 0 && self !== 0n ? fail('integer is too big') : self < 0n ? -1n : 0n
  const result = requireBounded(by >= 0 ? self << BigInt(by) : self >> BigInt(-by))
  return typeof result === 'bigint' ? result : 0n
}
