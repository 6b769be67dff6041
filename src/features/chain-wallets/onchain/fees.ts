import type { FeeOwner } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { FeeTerms } from '#features/fiat/fee-settings/fee-settings.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import { type Money, SCALE } from '#kernel/money/money.ts';
import { divide, parseRate } from '#kernel/money/rate.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { findSend, onchainFeeReference, sendReference, settleFee } from './store.ts';

const MILLION = 1_000_000n;

/**
 * The platform's fee of a send, in its own asset, on top of it: the share of the amount or the minimum
 * in dollars, whichever is more, each rounded up (contract: Fee rule). PROVIDER_UNAVAILABLE when
 * no source says what a dollar is worth.
 */
export async function onchainPlatformFee(
  fx: Pick<ExchangeRates, 'rate'>,
  { asset, units }: Money,
  { fee_ppm, minimum_micro_usd }: FeeTerms,
): Promise<bigint> {
  const found = await fx.rate('USD', asset);
  if (isNotConfigured(found)) throw notConfigured('The source of prices');
  if (found.kind !== 'done')
    throw fail('PROVIDER_UNAVAILABLE', `No exchange rate for ${asset} available`, {
      retryAfter: 5,
    });
  const { numerator, denominator } = parseRate(found.value.rate);
  const minimum = divide(
    BigInt(minimum_micro_usd) * numerator * 10n ** BigInt(SCALE[asset]),
    MILLION * denominator,
    'up',
  );
  const part = divide(units * BigInt(fee_ppm), MILLION, 'up');
  if (part > minimum) return part;
  return minimum;
}

/** The fees of sends: owed once the send is settled. */
export const sendFees: FeeOwner = {
  name: 'onchain',
  async find(db, operation) {
    const send = await findSend(db, operation);
    if (!send?.is_settled || send.fee_status === 'NONE') return undefined;
    const { chain_id, wallet_address, token_contract, fee_units: units, treasury } = send;
    return {
      reference: onchainFeeReference(operation),
      paidFor: sendReference(operation),
      purpose: 'onchain fee',
      chain_id,
      wallet_address,
      token_contract,
      units,
      treasury,
      isDue: send.fee_status === 'DUE',
    };
  },
  async ended(tx, operation, _fee, { status, ...paid }) {
    const tx_hash = 'hash' in paid ? paid.hash : null;
    const send = await settleFee(tx, operation, status, tx_hash);
    if (send === undefined) return;
    await logActivity(tx, {
      action: `ONCHAIN_FEE_${status}`,
      actor: null,
      client_id: send.client_id,
      subject_user_id: send.user_id,
      details: { operation, chain_id: send.chain_id, tx_hash },
    });
  },
};
