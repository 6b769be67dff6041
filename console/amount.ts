import { SCALE } from '#kernel/money/money.ts';

/** `-97.00 USD` of units as the ledger has them; units of an asset that the code does not name stay units. */
export function amountOf(units: string, asset: string): string {
  const scale = scaleOf(asset);
  if (scale === undefined) return `${units} units of ${asset}`;
  const sign = units.startsWith('-') ? '−' : '';
  const digits = units.replace('-', '').padStart(scale + 1, '0');
  const whole = grouped(digits.slice(0, digits.length - scale));
  return `${sign}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''} ${asset}`;
}

/** `1,234,567`: long amounts are read by their groups. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

const scaleOf = (asset: string): number | undefined =>
  Object.entries(SCALE).find(([name]) => name === asset)?.[1];

/** `41.00 USD` of `41`, as the whole console writes an amount; what is no plain decimal stays as it is. */
export function money(amount: string, asset: string): string {
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const scale = scaleOf(asset);
  if (whole === '' || scale === undefined || digits.length > scale) return `${amount} ${asset}`;
  return amountOf(
    `${sign}${whole}${digits.padEnd(scale, '0')}`.replace(/^(-?)0+(?=\d)/, '$1'),
    asset,
  );
}

type Fields = readonly (readonly [name: string, value: unknown])[];

/** Fields in which an amount and its currency are one: units and decimals are written alike. */
export function withAmounts(fields: Fields): Fields {
  const [, asset] = fields.find(([name]) => name === 'currency' || name === 'asset') ?? [];
  const names = fields.map(([name]) => name);
  if (typeof asset !== 'string' || !(names.includes('units') || names.includes('amount')))
    return fields;
  const rest = fields.filter(([name]) => name !== 'currency' && name !== 'asset');
  return rest.map(([name, value]) => {
    if (name === 'units') return ['amount', amountOf(String(value), asset)];
    return name === 'amount' ? [name, money(String(value), asset)] : [name, value];
  });
}
