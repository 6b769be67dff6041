import type { TaggedAddress, XrplAddresses } from '#chains/xrpl/port.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Conversion, convertVia, packConversion, readRates } from '#features/fiat/fx/fx.ts';
import { requireTransferable } from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { Money } from '#kernel/money/money.ts';
import { beginXrplOrder, type XrplRequest } from './begin.ts';
import { openUsdc, openXrplHouse } from './books.ts';
import { ledgerCost, transferFee } from './cost.ts';
import type { XrplDeps } from './deps.ts';
import { fiatEnd, readFiatInput, type XrplDestination } from './fiat-end.ts';
import { type OfframpInput, readOfframp } from './read-offramp.ts';
import { ready, unreachable, withinXrplLimit } from './ready.ts';
import type { XrplOfframp } from './redemption.ts';
import { isBegun } from './store.ts';

type Deps = XrplDeps & { readonly machine: Machine<XrplOfframp> };

/**
 * Begins an off-ramp, to an address or to fiat, and holds the USDC in the same transaction. A repetition is not
 * checked again: its own payment may have filled the receiver's trust line.
 */
export async function startOfframp(
  deps: Deps,
  request: XrplRequest,
  input: OfframpInput,
): Promise<void> {
  if (await isBegun(deps.db, request.id)) return;
  const read = await readOfframp(deps.xrpl, input);
  withinXrplLimit(read.usdc.units);
  const fiat =
    'target' in read ? await readFiatInput(deps, request.caller, read.target, input) : undefined;
  const addresses = await ready(deps.xrpl);
  if ('payee' in read) {
    await requireRoom(deps, read.payee, read.usdc.units);
    await begin(deps, request, input, { usdc: read.usdc, addresses, payee: read.payee });
  } else if (fiat) {
    await begin(deps, request, input, { usdc: read.usdc, addresses, fiat });
  }
}

/** Throws where the ledger says that the address cannot receive so much; in mock mode the sandbox opens it. */
async function requireRoom(
  { xrpl, config }: XrplDeps,
  { address, tag }: TaggedAddress,
  units: bigint,
): Promise<void> {
  const read = () => xrpl.roomOf(address);
  let room = await read();
  if (room.kind === 'done' && room.value === undefined && config.MOCK_MODE)
    if ((await xrpl.openLine(address)).kind === 'done') room = await read();
  if (room.kind !== 'done') throw unreachable();
  if (room.value === undefined)
    throw wrongField('destination_address', 'has no trust line for USDC');
  if (room.value.needsTag && tag === undefined) throw tagRequired();
  if (room.value.units < units)
    throw fail('LIMIT_EXCEEDED', 'destination_address trusts for less than that');
}

const tagRequired = () =>
  wrongField('destination_tag', 'is required', {
    code: 'DESTINATION_TAG_REQUIRED',
    said: 'destination_address takes no payment without a destination_tag',
  });

interface Begun {
  readonly usdc: Money<'USDC'>;
  readonly addresses: XrplAddresses;
  readonly payee?: TaggedAddress;
  readonly fiat?: XrplDestination;
}

async function begin(
  deps: Deps,
  request: XrplRequest,
  { currency_code }: OfframpInput,
  { usdc, addresses, payee, fiat }: Begun,
): Promise<void> {
  const sold = fiat && (await sale(deps, usdc, fiat));
  await beginXrplOrder<XrplOfframp>(deps, request, {
    action: 'XRPL_OFFRAMP',
    details: { payout: fiat?.kind ?? null },
    machine: deps.machine,
    cost: await ledgerCost(deps, sold?.fee === undefined ? 'offramp' : 'bank'),
    record: {
      currency_code,
      units: usdc.units,
      tx_type: fiat ? 'OFFRAMP_FIAT' : 'OFFRAMP',
      source_address: addresses.platform,
      destination_address: payee?.address ?? addresses.issuer,
      destination_tag: payee?.tag ?? null,
    },
    async dataOf(tx, isSponsored) {
      const payer = await payerOf(tx, request.caller.user_id, isSponsored);
      const end = fiat && (await fiatEnd(tx, fiat));
      const paid = end && sold && { fiat: end, ...soldData(sold) };
      return { payer, isSponsored, units: `${usdc.units}`, ...payee, ...paid };
    },
  });
}

const payerOf = (tx: Db, user_id: number, isSponsored: boolean): Promise<number> =>
  isSponsored ? openXrplHouse(tx, 'sponsor', 'USDC') : openUsdc(tx, user_id);

/** The price of the USDC, also in the currency that was named where the payee gets another one. */
interface Sale {
  readonly conversion: Conversion;
  readonly named?: Money<Fiat>;
  /** The part of the conversion that the platform keeps for the bank transfer, in its units. */
  readonly fee?: bigint;
}

/**
 * Both by one reading of the rates; a bank takes whole rupiah (the gateway's). Throws AMOUNT_BELOW_MINIMUM where nothing would
 * arrive, or less than the gateway transfers.
 */
async function sale(
  { fx, prices }: Deps,
  usdc: Money<'USDC'>,
  { currency, target, kind }: XrplDestination,
): Promise<Sale> {
  const rates = await readRates(fx);
  const sold = convertVia<'USDC', Fiat>(rates, { from: usdc, to: currency });
  const { units } = sold.result;
  const arrives = kind === 'BANK' && currency === 'IDR' ? units - (units % 100n) : units;
  if (arrives < 1n)
    throw fail('AMOUNT_BELOW_MINIMUM', `The amount comes to nothing in ${currency}`);
  const conversion = { ...sold, result: { ...sold.result, units: arrives } };
  if (kind === 'BANK') {
    const fee = transferFee(prices, rates, currency);
    requireTransferable(prices, { asset: currency, units: arrives - fee }, 'usdc_amount');
    return { conversion, fee };
  }
  if (target === currency) return { conversion };
  return { conversion, named: convertVia<'USDC', Fiat>(rates, { from: usdc, to: target }).result };
}

const soldData = ({ conversion, named, fee }: Sale) => ({
  conversion: packConversion(conversion),
  ...(fee !== undefined && { transferFee: `${fee}` }),
  ...(named && { named: { asset: named.asset, units: `${named.units}` } }),
});
