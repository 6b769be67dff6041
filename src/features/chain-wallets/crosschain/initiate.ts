import { randomBytes, randomUUID } from 'node:crypto';
import { checkDestination } from '#chains/destinations.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { type Sponsored, spendSponsored } from '#kernel/access/sponsored.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { spendDay } from './daily-limit-store.ts';
import type { CrosschainDeps } from './deps.ts';
import { insertTransfer, type Transfer } from './store.ts';
import { addressFor, chainFor, DAILY_MAX, inWords, platformFee, transferAmount } from './terms.ts';

export interface Initiation {
  readonly user_id: number;
  readonly amount: string;
  readonly from_chain: string;
  readonly to_chain: string;
  readonly token: string;
  readonly recipient_address: string;
  readonly return_address?: string | undefined;
}

/** The relayer pays for the mint, and in mock mode the hot wallet for a burn; a small fee may be less than that. */
const TRANSFERS: Sponsored = {
  own: { name: 'own cross-chain transfers', user: 10_000, network: 50_000, day: 500_000 },
  others: { name: 'cross-chain transfers', user: 100, network: 500, day: 5_000 },
};

/**
 * Writes a transfer down as INITIATED and counts it against the user's day (contract part 2, States
 * and Limits). In the caller's transaction.
 */
export async function initiate(
  tx: Db,
  deps: CrosschainDeps,
  { caller, request }: { readonly caller: UserCaller; readonly request: RequestFacts },
  asked: Initiation,
): Promise<Transfer> {
  const terms = await termsOf(deps, asked);
  const { user_id, client_id } = await requireUser(tx, tenantScopeOf(caller), asked.user_id);
  const at = deps.clock.now().toISOString();
  const transfer = { ...terms, user_id, client_id, limit_day: at.slice(0, 10), created_at: at };
  if (!(await spendDay(tx, transfer, DAILY_MAX)))
    throw fail('LIMIT_EXCEEDED', `Daily limit of ${inWords(DAILY_MAX)} exceeded`);
  const { own, others } = TRANSFERS;
  const isOwn = deps.evm.chains[terms.to_chain].isEmbedded;
  await spendSponsored(tx, deps, isOwn ? own : others, requesterOf(caller, request));
  return insertTransfer(tx, {
    log_id: randomUUID(),
    nonce: randomBytes(16).toString('hex'),
    ...transfer,
  });
}

async function termsOf({ evm, cctp, config }: CrosschainDeps, asked: Initiation) {
  const from_chain = chainFor(asked.token, asked.from_chain);
  const to_chain = chainFor(asked.token, asked.to_chain);
  // A node of our own stands in for a test network, but not in production.
  for (const chain of [from_chain, to_chain])
    if (config.NODE_ENV === 'production' && evm.chains[chain].isEmbedded)
      throw fail('TOKEN_NOT_SUPPORTED', `Token USDC is not supported on ${chain}.`);
  if (from_chain === to_chain)
    throw wrongField('to_chain', 'must be another one than from_chain', {
      said: 'from_chain and to_chain must be different',
    });
  const money = transferAmount(asked.amount);
  const destination = async (text: string, field: string) => {
    const address = addressFor(text, field, config);
    await checkDestination(evm, address, { field });
    return address;
  };
  const recipient_address = await destination(asked.recipient_address, 'recipient_address');
  const { return_address } = asked;
  return {
    amount: asked.amount,
    units: money.units,
    platform_fee: platformFee(money).units,
    token: 'USDC' as const,
    from_chain,
    to_chain,
    recipient_address,
    return_address:
      return_address === undefined ? null : await destination(return_address, 'return_address'),
    bridge_route: cctp.joins(from_chain, to_chain) ? ('CCTP' as const) : ('BRIDGE' as const),
  };
}
