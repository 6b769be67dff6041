import { randomBytes } from 'node:crypto';
import { checkDestination } from '#chains/destinations.ts';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { type Requester, requesterOf } from '#kernel/access/requester.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Market } from '#kernel/money/cost.ts';
import { spendPlatformCost } from '#kernel/quota/platform-costs.ts';
import { perHour, type QuotaRule } from '#kernel/quota/quota.ts';
import { transact } from '#kernel/transact.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { noteStep } from './audit.ts';
import { bridgeRouteOf } from './bridge-route.ts';
import { mintCost } from './cost.ts';
import { decideOnTransfer } from './day-limit.ts';
import type { CrosschainDeps } from './deps.ts';
import { findCrosschainTransfer } from './read-store.ts';
import { type CrosschainTransfer, insertTransfer } from './store.ts';
import { addressFor, chainFor, platformFee, transferAmount } from './terms.ts';

export interface Initiation {
  readonly user_id: number;
  readonly amount: string;
  readonly from_chain: string;
  readonly to_chain: string;
  readonly token: string;
  readonly recipient_address: string;
  readonly return_address?: string | undefined;
}

/** What only the beginning of a transfer needs. */
export interface BeginPorts extends Pick<Kernel, 'policies'> {
  readonly fx: ExchangeRates;
}

/** Coins of our own nodes are worth nothing: this only bounds what a test may do. */
const OWN: QuotaRule = {
  name: 'own cross-chain transfers',
  limits: perHour(10_000, 50_000),
  day: 500_000,
};

export type BeginDeps = CrosschainDeps & BeginPorts;

interface Asking {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** Names the transfer: a repetition of the request gets the same answer. */
  readonly operation: string;
  /** The transaction that it is part of, where there is one. */
  readonly db: Db;
}

/**
 * Writes a transfer down as INITIATED; policies decide about it and count it against the user's day (contract part 2,
 * States and Limits), once for an operation.
 */
export async function initiate(
  deps: BeginDeps,
  by: Asking,
  asked: Initiation,
): Promise<CrosschainTransfer> {
  const { db } = by;
  const known = await findCrosschainTransfer(db, { log_id: by.operation });
  if (known) return known;
  const terms = await termsOf(deps, asked);
  const cost = await mintCost(deps, terms);
  const market = await readPolicyMarket(deps.fx);
  return transact(db, (tx) => write(tx, deps, by, { asked, terms, cost, market }));
}

interface Priced {
  readonly asked: Initiation;
  readonly terms: Awaited<ReturnType<typeof termsOf>>;
  readonly cost: bigint;
  readonly market: Market | undefined;
}

async function write(
  tx: Db,
  deps: BeginDeps,
  { caller, request, operation }: Asking,
  { asked, terms, cost, market }: Priced,
): Promise<CrosschainTransfer> {
  const { user_id, client_id } = await requireUser(tx, tenantScopeOf(caller), asked.user_id);
  const at = deps.clock.now().toISOString();
  const transfer = { ...terms, log_id: operation, user_id, client_id, created_at: at };
  await decideOnTransfer(tx, deps.policies, transfer, { caller, request, market });
  await spendCost(tx, deps, terms.to_chain, { units: cost, by: requesterOf(caller, request) });
  const row = await insertTransfer(tx, {
    nonce: randomBytes(16).toString('hex'),
    ...transfer,
  });
  await noteStep({ tx, legs: deps.legs }, 'CROSSCHAIN_INITIATE', row, {
    asked: { caller, request },
  });
  return row;
}

/** All of it, since the platform cannot take the fee from a wallet outside that burns. */
async function spendCost(
  tx: Db,
  deps: BeginDeps,
  to_chain: CrosschainTransfer['to_chain'],
  { units, by }: { readonly units: bigint; readonly by: Requester },
): Promise<void> {
  if (deps.evm.chains[to_chain].isEmbedded) return deps.quotas.spend(tx, OWN, by);
  const cost = { name: 'cross-chain transfers', units, isOwn: false };
  return spendPlatformCost(tx, deps, cost, by);
}

async function termsOf(deps: CrosschainDeps, asked: Initiation) {
  const { evm, config } = deps;
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
    bridge_route: bridgeRouteOf(deps, { from_chain, to_chain }),
  };
}
