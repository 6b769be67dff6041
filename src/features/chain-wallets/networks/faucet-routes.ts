import { Type } from 'typebox';
import { type EvmChain, isChainKey } from '#chains/evm/port.ts';
import { managedAddresses } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { fromRefusal } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { accountOf } from '#kernel/access/attempts.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  stamped,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import { transact } from '#kernel/transact.ts';
import type { NetworksDeps } from './deps.ts';
import { type GiftEffect, giftUnits } from './faucet.ts';
import { decimalText } from './presenters.ts';
import { findNetwork } from './routes.ts';
import { type FaucetGift, findGift, type GiftAsset, insertGift, listGifts } from './store.ts';
import { testMintQuota } from './test-mint-quota.ts';

const endpoint = endpoints(codedEnvelope);

const ASSETS = ['native', 'USDC', 'IDRT'] as const;
const A_DAY = 3;
/** How long a caller waits for the block. */
const PATIENCE_MS = 10_000;

const GiftBody = named('FaucetGift', {
  network_id: Type.String(),
  asset: oneOfWords(ASSETS),
  address: Type.String(),
  amount: Type.String(),
  status: oneOfWords(['PENDING', 'SENT', 'FAILED'] as const),
  tx_hash: explained(Nullable(Type.String()), 'Null until it is in a block'),
  created_at: Timestamp,
});

interface FaucetRouteDeps extends NetworksDeps {
  readonly gifts: GiftEffect;
}

/** Test coins for wallets that are managed here. */
export const faucetRoutes = (deps: FaucetRouteDeps): Route[] => [
  endpoint('POST /testnet/faucet', {
    name: 'testnet.give',
    auth: 'user',
    errors: [
      'NOT_FOUND',
      'FORBIDDEN',
      'WALLET_NOT_FOUND',
      '429 LIMIT_EXCEEDED',
      'RATE_LIMITED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Gives test coins to an address of one’s own',
    body: Type.Object({
      network_id: text(40),
      asset: oneOfWords(ASSETS),
      address: Type.Optional(
        explained(
          text(150),
          'One of one’s own on that network; may be left out where it is the only one',
        ),
      ),
    }),
    reply: { 201: stamped({ data: GiftBody }) },
    fault: 'Failed to give test coins',
    async handler({ caller, body, request, operation, db }) {
      const chain = testChain(deps, body.network_id);
      const address = await ownAddress(db, caller, chain, body.address);
      const units = giftUnits(chain, body.asset);
      if (units === 0n)
        throw fail(
          'PROVIDER_UNAVAILABLE',
          `The faucet of ${body.network_id} has no ${body.asset}`,
          {
            retryAfter: 3600,
          },
        );
      const { user_id, client_id } = caller;
      const { gift, intent } = await transact(db, async (tx) => {
        await spendDay(deps, tx, user_id, body.asset);
        await deps.quotas.spend(tx, testMintQuota(chain.isEmbedded), requesterOf(caller, request));
        const { network_id, asset } = body;
        const made = await insertGift(tx, {
          client_id,
          user_id,
          network_id,
          asset,
          address,
          units,
        });
        const begun = await deps.effects.begin(tx, deps.gifts, String(made.gift_id), {
          owner: operation,
        });
        return { gift: made, intent: begun };
      });
      const ending = await deps.effects.drive(deps.gifts, String(gift.gift_id), {
        intent,
        owner: operation,
        patienceMs: PATIENCE_MS,
      });
      if (ending.state === 'refused') throw fromRefusal(ending.why);
      return at(201, { data: shownGift(chain, (await findGift(db, gift.gift_id)) ?? gift) });
    },
  }),

  endpoint('GET /testnet/faucet', {
    name: 'testnet.listGifts',
    auth: 'user',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists the test coins that were given, newest first',
    query: Type.Object(cursorQuery),
    reply: { 200: stamped({ data: cursorPage(GiftBody) }) },
    fault: 'Failed to list test coins',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const found = await listGifts(db, tenantScopeOf(caller), wanted);
      const show = (gift: FaucetGift) => shownGift(chainOf(deps, gift.network_id), gift);
      return { data: page(found, ({ gift_id }) => gift_id, show) };
    },
  }),
];

const chainOf = ({ evm }: Pick<NetworksDeps, 'evm'>, id: string): EvmChain | undefined =>
  isChainKey(id) ? evm.chains[id] : undefined;

/** Throws NOT_FOUND, FORBIDDEN off a test network, and WALLET_NOT_FOUND where no wallets are managed. */
function testChain(deps: NetworksDeps, id: string): EvmChain {
  const { chain } = findNetwork(deps, id);
  if (!chain.view.facts.is_testnet)
    throw fail('FORBIDDEN', `${id} is no test network: nothing is given there`);
  const found = chainOf(deps, id);
  if (!found) throw fail('WALLET_NOT_FOUND', `No wallets are managed on ${id}`);
  return found;
}

async function ownAddress(
  db: Db,
  { user_id }: UserCaller,
  { info }: EvmChain,
  wallet_address: string | undefined,
): Promise<string> {
  const filter = { chain_id: info.key, ...(wallet_address !== undefined && { wallet_address }) };
  const [first, second] = await managedAddresses(db, { user_id }, filter);
  if (!first) throw fail('WALLET_NOT_FOUND', `No address of yours on ${info.key} is managed here`);
  if (second && wallet_address === undefined)
    throw wrongField('address', 'must name one of your addresses there, since there are several');
  return first.wallet_address;
}

/** Counts one of a day's, in the transaction that makes the gift. */
async function spendDay(
  { quotas, clock }: NetworksDeps,
  tx: Db,
  user_id: number,
  asset: GiftAsset,
): Promise<void> {
  const subject = `${asset} of the faucet to ${accountOf(user_id)} a day`;
  const usedUp = await quotas.take(tx, [{ subject, most: A_DAY, withinMs: DAY_MS }]);
  if (!usedUp) return;
  const { retryAfter } = usedUp;
  const resets_at = new Date(clock.now().getTime() + retryAfter * 1000).toISOString();
  throw fail('LIMIT_EXCEEDED', `The faucet gives ${A_DAY} times a day`, {
    status: 429,
    retryAfter,
    details: { limit_id: 'faucet', limit: A_DAY, used: A_DAY, resets_at },
  });
}

const DIGITS = { native: 18, USDC: 6, IDRT: 2 } as const;

const shownGift = (chain: EvmChain | undefined, gift: FaucetGift) => ({
  network_id: chain?.info.key ?? gift.network_id,
  asset: gift.asset,
  address: gift.address,
  amount: decimalText({ units: gift.units, digits: DIGITS[gift.asset] }),
  status: gift.status as 'PENDING' | 'SENT' | 'FAILED',
  tx_hash: gift.tx_hash,
  created_at: gift.created_at,
});
