import { isXrplAddress, type XrplAddresses } from '#chains/xrpl/port.ts';
import { logActivity } from '#features/activity/activity.ts';
import type { Fiat } from '#features/fiat-wallets/fiat-wallets.ts';
import { convertVia, packConversion, readRates } from '#features/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { fail, wrongField } from '#kernel/http/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/route.ts';
import { type Money, money } from '#kernel/money/money.ts';
import { openSponsor, openUsdc } from './books.ts';
import type { XrplDeps } from './deps.ts';
import { beginRecord } from './events.ts';
import { type Destination, type FiatWish, fiatEnd, readFiatWish } from './fiat-end.ts';
import { ready, unreachable, withinLimit } from './ready.ts';
import type { Offramp } from './redemption.ts';
import { sponsoredWhereLacking } from './start-onramp.ts';
import { isBegun } from './store.ts';

/** As the endpoint takes it. */
export interface OfframpWish extends FiatWish {
  readonly currency_code: string;
  readonly amount?: string;
  readonly usdc_amount?: string;
  readonly destination_address?: string;
}

interface Asked {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly id: string;
}

type Deps = XrplDeps & { readonly machine: Machine<Offramp> };

/**
 * Begins an off-ramp, to an address or to fiat; the USDC is set aside in the transaction that writes it.
 * One that was begun before is not checked again: its own payment may have filled the receiver's trust line.
 */
export async function startOfframp(deps: Deps, asked: Asked, wish: OfframpWish): Promise<void> {
  if (await isBegun(deps.db, asked.id)) return;
  const read = readOfframp(wish);
  withinLimit(read.usdc.units);
  const fiat =
    'target' in read ? await readFiatWish(deps, asked.caller, read.target, wish) : undefined;
  const addresses = await ready(deps.xrpl);
  if ('address' in read) {
    await mustTake(deps, addresses, read.address, read.usdc.units);
    await begin(deps, asked, wish, { usdc: read.usdc, addresses, address: read.address });
  } else if (fiat) {
    await begin(deps, asked, wish, { usdc: read.usdc, addresses, fiat });
  }
}

const FIAT_NEEDS = 'For fiat payout, provide usdc_amount and target_fiat';

function readOfframp(wish: OfframpWish) {
  const { amount, usdc_amount, destination_address: address, target_fiat: target } = wish;
  if (amount !== undefined && usdc_amount !== undefined)
    throw fail('VALIDATION_ERROR', 'Provide either amount OR usdc_amount');
  if (address !== undefined && target !== undefined)
    throw fail('VALIDATION_ERROR', 'Provide either destination_address OR target_fiat');
  if (address !== undefined && wish.destination_bank !== undefined)
    throw fail('VALIDATION_ERROR', 'Provide either destination_address OR destination_bank');
  if (address === undefined) {
    if (usdc_amount === undefined || target === undefined)
      throw fail('VALIDATION_ERROR', FIAT_NEEDS);
    return { usdc: money('USDC', usdc_amount), target };
  }
  const text = amount ?? usdc_amount;
  if (text === undefined) throw fail('VALIDATION_ERROR', 'Provide amount (USDC)');
  if (!isXrplAddress(address))
    throw wrongField('destination_address', 'must be an address of the XRP Ledger');
  return { usdc: money('USDC', text), address };
}

/** That the address can get so much, by the ledger's word; in mock mode the sandbox sees to it. */
async function mustTake(
  { xrpl, config }: XrplDeps,
  { issuer, platform }: XrplAddresses,
  address: string,
  units: bigint,
): Promise<void> {
  if (address === issuer || address === platform)
    throw wrongField('destination_address', 'is the platform’s own');
  const read = () => xrpl.roomOf(address);
  let room = await read();
  if (room.kind === 'done' && room.value === undefined && config.MOCK_MODE)
    if ((await xrpl.openLine(address)).kind === 'done') room = await read();
  if (room.kind !== 'done') throw unreachable();
  if (room.value === undefined)
    throw wrongField('destination_address', 'has no trust line for USDC');
  if (room.value.units < units)
    throw fail('LIMIT_EXCEEDED', 'destination_address trusts for less than that');
}

interface Begun {
  readonly usdc: Money<'USDC'>;
  readonly addresses: XrplAddresses;
  readonly address?: string;
  readonly fiat?: Destination;
}

async function begin(
  deps: Deps,
  { caller, request, id }: Asked,
  { currency_code }: OfframpWish,
  { usdc, addresses, address, fiat }: Begun,
): Promise<void> {
  const conversion = fiat && (await sale(deps, usdc, fiat));
  const { user_id, client_id } = caller;
  const write = (isSponsored: boolean) =>
    transact(deps.db, async (tx) => {
      const record = await beginRecord(tx, {
        ...{ user_id, operation: id, currency_code, units: usdc.units },
        tx_type: fiat ? 'OFFRAMP_FIAT' : 'OFFRAMP',
        source_address: addresses.platform,
        destination_address: address ?? addresses.issuer,
      });
      if (!record) return;
      const payer = await payerOf(tx, user_id, isSponsored);
      const end = fiat && (await fiatEnd(tx, fiat));
      const details = { operation: id, is_sponsored: isSponsored, payout: fiat?.kind ?? null };
      await logActivity(tx, { action: 'XRPL_OFFRAMP', actor: caller, details, request });
      const data = {
        ...{ user_id, client_id, payer, isSponsored, units: `${usdc.units}` },
        ...(address !== undefined && { address }),
        ...(end && conversion && { fiat: end, conversion: packConversion(conversion) }),
      };
      await deps.sagas.start(tx, deps.machine, { id, data, drivenForMs: 60_000 });
    });
  await sponsoredWhereLacking(deps.config.MOCK_MODE, write);
}

const payerOf = (tx: Db, user_id: number, isSponsored: boolean): Promise<number> =>
  isSponsored ? openSponsor(tx, 'USDC') : openUsdc(tx, user_id);

/** What it comes to; a bank takes whole rupiah. AMOUNT_BELOW_MINIMUM where nothing would arrive. */
async function sale({ fx }: Deps, usdc: Money<'USDC'>, { currency, kind }: Destination) {
  const sold = convertVia<'USDC', Fiat>(await readRates(fx), { from: usdc, to: currency });
  const { units } = sold.result;
  const arrives = kind === 'BANK' ? units - (units % 100n) : units;
  if (arrives < 1n)
    throw fail('AMOUNT_BELOW_MINIMUM', `The amount comes to nothing in ${currency}`);
  return { ...sold, result: { ...sold.result, units: arrives } };
}
