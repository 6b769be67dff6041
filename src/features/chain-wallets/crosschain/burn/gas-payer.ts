import { transferCall } from '#chains/evm/contracts/port.ts';
import { type Quote, readBalances, type Signer } from '#chains/evm/port.ts';
import {
  FEE_GAS_TIMES,
  type FeeOwner,
  reserve,
  type Spend,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { EffectAttempt } from '#kernel/effects/effect.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { CrosschainBase } from '../deps.ts';
import { toCrosschainAppError, toShortfall } from '../faults.ts';
import { findCrosschainTransfer } from '../read-store.ts';
import { burnReference, type CrosschainTransfer, change, feeReference } from '../store.ts';

export interface GasPayer {
  readonly signer: Signer;
  /** The platform pays, with tokens that it makes for the purpose. */
  readonly isSponsored: boolean;
  /** Of the first call that it signs. */
  readonly quote?: Quote | undefined;
}

/**
 * The first who can pay the burn, with what it pays set aside where its wallet is managed: the fee on
 * top, too, except in mock mode. There the hot wallet stands in where no payer can (decisions: Modes).
 * Throws INSUFFICIENT_FUNDS, and LostAttempt where the burn was taken over.
 */
export async function chooseGasPayer(
  base: CrosschainBase,
  transfer: CrosschainTransfer,
  { secret: candidates = [], permit }: Pick<EffectAttempt<readonly Signer[]>, 'secret' | 'permit'>,
): Promise<GasPayer> {
  let shortfall: AppError | Error | undefined;
  for (const signer of candidates) {
    const charged = await chargeTo(base, transfer, signer, permit);
    if (!(charged instanceof Error)) return { signer, isSponsored: false, ...charged };
    shortfall ??= charged;
  }
  if (base.config.MOCK_MODE) return { signer: base.evm.keys.hot, isSponsored: true };
  throw (
    shortfall ??
    fail('INSUFFICIENT_FUNDS', `There is no managed wallet on ${transfer.from_chain} to burn from`)
  );
}

/** Sets aside what this one pays, a wallet that is managed. Answers why it cannot pay. */
async function chargeTo(
  base: CrosschainBase,
  transfer: CrosschainTransfer,
  { address }: Signer,
  permit: EffectAttempt['permit'],
): Promise<{ readonly quote: Quote | undefined } | AppError | Error> {
  const chain = base.evm.chains[transfer.from_chain];
  const place = { db: base.db, chain, address };
  const reservation = await reserve(place, spendsOf(base, transfer), async (tx) => {
    await permit(tx);
    return true;
  });
  if (reservation === 'unmanaged' || reservation === 'unwritten') return { quote: undefined };
  if ('fault' in reservation) return toCrosschainAppError(reservation.fault, chain);
  if ('held' in reservation) return { quote: reservation.quotes[0] };
  const { token_contract, required, available } = reservation.short;
  const asset = token_contract === 'native' ? chain.info.native : 'USDC';
  return toShortfall({ asset, required, available });
}

function spendsOf(
  { evm, config, bridgeRoutes }: CrosschainBase,
  transfer: CrosschainTransfer,
): Spend[] {
  const { units, platform_fee, bridge_route } = transfer;
  const token_contract = bridgeRoutes[bridge_route].token(transfer);
  const [call, ...later] = bridgeRoutes[bridge_route].burnCalls(transfer);
  if (call === undefined) throw new Error(`There is no burn over ${bridge_route}`);
  const reference = burnReference(transfer);
  const burn = { reference, token_contract, units, call, laterCalls: later.length };
  // What the platform sponsors owes no fee.
  if (config.MOCK_MODE) return [burn];
  const fee = {
    reference: feeReference(transfer),
    token_contract,
    units: platform_fee,
    call: transferCall(token_contract, evm.keys.treasury.address, platform_fee),
    gasTimes: FEE_GAS_TIMES,
  };
  return [burn, fee];
}

/** INSUFFICIENT_FUNDS where others have used since what was there when it was checked. */
export async function shortfallOf(
  { evm, config, bridgeRoutes }: CrosschainBase,
  transfer: CrosschainTransfer,
  { address }: Pick<Signer, 'address'>,
): Promise<AppError | undefined> {
  const { from_chain, bridge_route, units, platform_fee } = transfer;
  const token = bridgeRoutes[bridge_route].token(transfer);
  const required = units + (config.MOCK_MODE ? 0n : platform_fee);
  const { tokens } = await readBalances(evm.chains[from_chain], address, [token]);
  const available = tokens[0] ?? 0n;
  return available < required ? toShortfall({ asset: 'USDC', required, available }) : undefined;
}

/** The fees of burns, owed by the wallet that paid the burn. By `log_id`. */
export const burnFees = ({ evm, bridgeRoutes, legs }: CrosschainBase): FeeOwner => ({
  name: 'crosschain',
  async find(db, log_id) {
    const transfer = await findCrosschainTransfer(db, { log_id });
    if (!transfer || transfer.fee_status === 'NONE' || transfer.burn_from === null)
      return undefined;
    return {
      reference: feeReference(transfer),
      paidFor: burnReference(transfer),
      purpose: 'bridge fee',
      chain_id: transfer.from_chain,
      wallet_address: transfer.burn_from,
      token_contract: bridgeRoutes[transfer.bridge_route].token(transfer),
      units: transfer.platform_fee,
      treasury: evm.keys.treasury.address,
      isDue: transfer.fee_status === 'DUE',
    };
  },
  async ended(tx, log_id, _fee, end) {
    const ended = await change(
      tx,
      `set fee_status = $2, fee_tx_hash = $3 where log_id = $1 and fee_status = 'DUE'`,
      [log_id, end.status, end.status === 'PAID' ? end.hash : null],
    );
    if (ended?.bridge_transfer && end.status === 'PAID')
      await legs.moved(tx, 'CROSSCHAIN_FEE_PAID', ended);
  },
});
