/** A real number passed in or out. */
export class Float {
  readonly real: number

  constructor(real: number) {
    this.real = real
  }

  toString(): string {
    return formatFloat(this.real)
  }
}

/** Formats a float, `2.0`, `1.0e+15`, `1.0e-05`, `NaN`: the shortest text that yields the number again. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 15) return formatDecimal(value, mantissa, power)
  const sign = power < 0 ? '-' : '+'
  const digits = mantissa.includes('.') ? mantissa : `${mantissa}.0`
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
}

function formatDecimal(value: number, mantissa: string, power: number): string {
  const digits = mantissa.replace('.', '').replace('-', '')
  const sign = value < 0 ? '-' : ''
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0')
  return `${sign}${whole}.${digits.slice(power + 1) || '0'}`
}
