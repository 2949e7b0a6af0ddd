import { fail } from './error.ts'
import { kindOf, type Machine, type Value } from './values.ts'

const MAX_BITS = 65_536

/** Computes `+ - * / % **`: exactly for integers (up to 65,536 bits), as floats when one operand is a float. */
export function computeArithmetic(operator: string, left: bigint | number, right: Value, machine: Machine): Value {
  if (typeof right !== 'bigint' && typeof right !== 'number')
    return fail(`${kindOf(right)} cannot be used with ${operator} here`)
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return requireBounded(computeIntegers(operator, left, right, machine))
  return computeFloats(operator, Number(left), Number(right))
}

/** Refuses integers that are too large to compute with quickly. */
export function requireBounded(value: Value): Value {
  if (typeof value !== 'bigint') return value
  return BigInt.asIntN(64, value) === value || BigInt.asIntN(MAX_BITS, value) === value ? value : refuseTooBig()
}

/** Divides and rounds down, as this language always does: -7 / 2 is -4. */
export function divideFloor(left: bigint, right: bigint): bigint {
  if (right === 0n) return fail('divided by 0')
  const whole = left / right
  return left % right !== 0n && left < 0n !== right < 0n ? whole - 1n : whole
}

/** Computes the remainder of `divideFloor`, which has the sign of the divisor. */
export function computeRemainder(left: bigint, right: bigint): bigint {
  return left - divideFloor(left, right) * right
}

function computeIntegers(operator: string, left: bigint, right: bigint, machine: Machine): Value {
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (operator === '/') return divideFloor(left, right)
  if (operator === '%') return computeRemainder(left, right)
  return computePower(left, right, machine)
}

function computePower(base: bigint, exponent: bigint, machine: Machine): Value {
  if (exponent < 0n) return Number(base) ** Number(exponent)
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
  if (exponent > BigInt(MAX_BITS) || BigInt(base.toString(16).length - 1) * 4n * exponent > BigInt(MAX_BITS))
    refuseTooBig()
  machine.meter.step(Number(exponent))
  return base ** exponent
}

function computeFloats(operator: string, left: number, right: number): number {
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (operator === '/') return left / right
  if (operator === '**') return left ** right
  return left - right * Math.floor(left / right)
}

function refuseTooBig(): never {
  return fail('integer is too big')
}
