import { SCALE } from '#kernel/money/money.ts';

/** `-97.00 USD` of units as the ledger has them; units of an asset that the code does not name stay units. */
export function amountOf(units: string, asset: string): string {
  const scale = Object.entries(SCALE).find(([name]) => name === asset)?.[1];
  if (scale === undefined) return `${units} units of ${asset}`;
  const sign = units.startsWith('-') ? '−' : '';
  const digits = units.replace('-', '').padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${sign}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''} ${asset}`;
}
