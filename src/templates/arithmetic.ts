import { fail } from './error.ts'
import { kindOf, type Machine, type Value } from './values.ts'

const MAX_BITS = 65_536

/** Computes `+ - * / % **`: exactly for integers (up to 65,536 bits), as floats when one operand is a float. */
export function arithmetic(operator: string, left: bigint | number, right: Value, machine: Machine): Value {
  if (typeof right !== 'bigint' && typeof right !== 'number')
    return fail(`${kindOf(right)} cannot be used with ${operator} here`)
  if (typeof left === 'bigint' && typeof right === 'bigint') return bounded(integers(operator, left, right, machine))
  return floats(operator, Number(left), Number(right))
}

/** Refuses integers that are too large to compute with quickly. */
export function bounded(value: Value): Value {
  if (typeof value !== 'bigint') return value
  return BigInt.asIntN(64, value) === value || BigInt.asIntN(MAX_BITS, value) === value ? value : tooBig()
}

/** Divides and rounds down, as this language always does: -7 / 2 is -4. */
export function quotient(left: bigint, right: bigint): bigint {
  if (right === 0n) return fail('divided by 0')
  const whole = left / right
  return left % right !== 0n && left < 0n !== right < 0n ? whole - 1n : whole
}

/** Yields the remainder of `quotient`, which has the sign of the divisor. */
export function remainder(left: bigint, right: bigint): bigint {
  return left - quotient(left, right) * right
}

function integers(operator: string, left: bigint, right: bigint, machine: Machine): Value {
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (operator === '/') return quotient(left, right)
  if (operator === '%') return remainder(left, right)
  return power(left, right, machine)
}

function power(base: bigint, exponent: bigint, machine: Machine): Value {
  if (exponent < 0n) return Number(base) ** Number(exponent)
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
  if (exponent > BigInt(MAX_BITS) || BigInt(base.toString(16).length - 1) * 4n * exponent > BigInt(MAX_BITS)) tooBig()
  machine.meter.step(Number(exponent))
  return base ** exponent
}

function floats(operator: string, left: number, right: number): number {
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (operator === '/') return left / right
  if (operator === '**') return left ** right
  return left - right * Math.floor(left / right)
}

function tooBig(): never {
  return fail('integer is too big')
}
