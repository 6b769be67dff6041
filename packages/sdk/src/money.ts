/** An exact amount of one currency. */
export class Money {
  readonly currency: string;
  readonly #units: bigint;
  readonly #scale: number;

  constructor(units: bigint, scale: number, currency: string) {
    this.#units = units;
    this.#scale = scale;
    this.currency = currency;
  }

  add(other: Money): Money {
    const [a, b, scale] = this.#aligned(other);
    return new Money(a + b, scale, this.currency);
  }

  subtract(other: Money): Money {
    const [a, b, scale] = this.#aligned(other);
    return new Money(a - b, scale, this.currency);
  }

  /** Below zero where this one is less, above where it is more. */
  compare(other: Money): number {
    const [a, b] = this.#aligned(other);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  isZero(): boolean {
    return this.#units === 0n;
  }

  /** Parts in these proportions that add up to the whole: what is left goes to the first ones, unit by unit. */
  allocate(parts: readonly number[]): Money[] {
    const weights = parts.map(BigInt);
    const total = weights.reduce((sum, one) => sum + one, 0n);
    if (total <= 0n || weights.some((one) => one < 0n))
      throw new RangeError('Parts must be positive');
    const shares = weights.map((weight) => (this.#units * weight) / total);
    let left = this.#units - shares.reduce((sum, one) => sum + one, 0n);
    const step = left < 0n ? -1n : 1n;
    return shares.map((share, i) => {
      const takes = left !== 0n && weights[i] !== 0n;
      if (takes) left -= step;
      return new Money(takes ? share + step : share, this.#scale, this.currency);
    });
  }

  /** As the API takes it, such as `100.00`. */
  toString(): string {
    const digits = (this.#units < 0n ? -this.#units : this.#units)
      .toString()
      .padStart(this.#scale + 1, '0');
    const whole = digits.slice(0, digits.length - this.#scale);
    const rest = this.#scale === 0 ? '' : `.${digits.slice(-this.#scale)}`;
    return `${this.#units < 0n ? '-' : ''}${whole}${rest}`;
  }

  toJSON(): string {
    return this.toString();
  }

  #aligned(other: Money): [bigint, bigint, number] {
    if (other.currency !== this.currency) {
      throw new TypeError(`${this.currency} and ${other.currency} are different money`);
    }
    const scale = Math.max(this.#scale, other.#scale);
    const at = (one: Money) => one.#units * 10n ** BigInt(scale - one.#scale);
    return [at(this), at(other), scale];
  }
}

/** An amount as the API writes it. Numbers are not taken: they are not exact. */
export function money(amount: string, currency: string): Money {
  const [, sign, whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (sign === undefined) throw new TypeError(`${amount} is no amount`);
  const units = BigInt(whole + rest);
  return new Money(sign === '-' ? -units : units, rest.length, currency);
}
