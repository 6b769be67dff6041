import { Type } from 'typebox';
import { checkDestination } from '#chains/destinations.ts';
import { addressOf, CHAIN_KEYS } from '#chains/evm/port.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { tenantScopeOf, userInScope } from '#kernel/access/tenant-scope.ts';
import { pageOfCountedList } from '#kernel/db/counted-list.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope, errorEnvelope, flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { filterQuery, requireNear } from '#kernel/http/declare/page.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  flat,
  Id,
  IdInput,
  integerInput,
  oneOfWords,
  stamped,
  TextOrNull,
  text,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { SHOWN_BALANCE } from '#kernel/money/shown-balance.ts';
import type { CrosschainDeps } from './deps.ts';
import { testMint, tokenBalance } from './mint/test-tokens.ts';
import { logOf, TransferLog } from './presenters.ts';
import { findCrosschainTransfer, TRANSFERS } from './read-store.ts';
import { CROSSCHAIN_STATUSES } from './states.ts';
import type { CrosschainTransfer } from './store.ts';
import { addressFor, chainFor, chainNamed } from './terms.ts';

const read = endpoints(codedEnvelope);
const action = endpoints({ ...errorEnvelope, success: flatEnvelope.success });

const History = Type.Object({
  user_id: Id,
  transactions: Type.Array(TransferLog),
  pagination: Type.Object({
    total_count: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    has_more: Type.Boolean(),
  }),
  filters_applied: Type.Object({
    from_chain: TextOrNull,
    to_chain: TextOrNull,
    status: TextOrNull,
  }),
});

/** Contract part 2, Cross-chain: histories. */
export const historyRoutes = (): Route[] => [
  read('GET /crosschain/history/{user_id}', {
    name: 'crosschain.listHistory',
    csv: 'data.transactions',
    auth: 'user',
    history: true,
    errors: ['ACCESS_DENIED', 'INVALID_PAGINATION'],
    summary: "A user's cross-chain transfers, newest first",
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object({
      limit: Type.Optional(integerInput(1, 100)),
      offset: Type.Optional(integerInput(0, 1_000_000)),
      from_chain: Type.Optional(text(40)),
      to_chain: Type.Optional(text(40)),
      status: Type.Optional(oneOfWords(CROSSCHAIN_STATUSES)),
      ...filterQuery('a nonce, or the hash of a burn'),
    }),
    reply: {
      200: stamped({ message: Type.String(), data: History }),
    },
    async handler({ caller, params: { user_id }, query, db }) {
      if (!(await userInScope(db, tenantScopeOf(caller), user_id)))
        throw fail('ACCESS_DENIED', 'You can only read your own history');
      const { limit = 50, offset = 0, status } = query;
      const from_chain = chainFilter('from_chain', query.from_chain);
      const to_chain = chainFilter('to_chain', query.to_chain);
      const page = { limit, offset };
      const wish = { ...query, facets: { from_chain, to_chain, status } };
      requireNear(page, wish);
      const kept = await pageOfCountedList<CrosschainTransfer>(
        db,
        { list: TRANSFERS, owner: user_id },
        page,
        wish,
      );
      return {
        message: 'Cross-chain history retrieved successfully',
        data: {
          user_id,
          transactions: kept.rows.map(logOf),
          pagination: { total_count: kept.total, ...page, has_more: kept.has_more },
          filters_applied: {
            from_chain: query.from_chain ?? null,
            to_chain: query.to_chain ?? null,
            status: status ?? null,
          },
        },
      };
    },
  }),

  read('GET /crosschain/details/{log_id}', {
    name: 'crosschain.get',
    auth: 'user',
    errors: ['TRANSACTION_NOT_FOUND'],
    summary: 'One cross-chain transfer',
    params: Type.Object({ log_id: Uuid }),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          transaction: TransferLog,
          requested_by: Id,
          access_level: oneOfWords(['owner', 'admin'] as const),
        }),
      }),
    },
    async handler({ caller, params, db }) {
      const row = await findCrosschainTransfer(db, params, tenantScopeOf(caller));
      if (row === undefined) throw fail('TRANSACTION_NOT_FOUND', 'Transaction not found');
      const access_level = row.user_id === caller.user_id ? ('owner' as const) : ('admin' as const);
      return {
        message: 'Transaction details retrieved successfully',
        data: { transaction: logOf(row), requested_by: caller.user_id, access_level },
      };
    },
  }),
];

/** Contract part 2, Cross-chain: what is on the chains themselves. */
export const chainRoutes = (deps: CrosschainDeps): Route[] => [
  action('GET /crosschain/balance/{chain}/{address}', {
    name: 'crosschain.getBalance',
    auth: 'user',
    errors: ['TOKEN_NOT_SUPPORTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'What an address holds of USDC, or of a token named by its contract',
    params: Type.Object({ chain: text(40), address: text(100) }),
    query: Type.Object({ contract_address: Type.Optional(text(100)) }),
    reply: {
      200: Type.Object({
        chain: Type.String(),
        address: Type.String(),
        balance: Type.String(),
        ...SHOWN_BALANCE,
        contract_address: Type.String(),
        source: Type.String(),
      }),
    },
    async handler({ caller, params, query }) {
      const chain = chainFor('USDC', params.chain);
      const owner = addressOf(params.address);
      if (owner === undefined)
        throw wrongField('address', 'is no address, or mistyped', {
          said: 'Invalid wallet address',
        });
      const contract =
        query.contract_address === undefined
          ? deps.evm.chains[chain].contracts.usdc
          : addressFor(query.contract_address, 'contract_address', deps.config);
      const reach = tenantScopeOf(caller);
      const shown = await tokenBalance(deps, { chain, owner, contract, reach });
      return { chain, address: owner, ...shown, contract_address: contract, source: 'blockchain' };
    },
  }),

  action('POST /crosschain/test-mint', {
    name: 'crosschain.testMint',
    auth: 'user',
    errors: ['TOKEN_NOT_SUPPORTED', 'LIMIT_EXCEEDED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Test USDC for any address, on the test networks',
    body: Type.Object({
      chain: text(40),
      address: text(100),
      amount: AmountInput,
      mode: Type.Optional(oneOfWords(['manual', 'external_wallet'] as const)),
    }),
    reply: {
      200: flat({
        tx_hash: Type.String(),
        mode: Type.String(),
        address: Type.String(),
        chain: Type.String(),
      }),
    },
    fault: 'Test mint failed',
    async handler({ caller, body: { mode = 'manual', amount, ...body }, operation, request }) {
      const chain = chainFor('USDC', body.chain);
      if (addressOf(body.address) === undefined)
        throw wrongField('address', 'is no address, or mistyped', {
          said: 'Invalid address format',
        });
      const to = addressFor(body.address, 'address', deps.config);
      await checkDestination(deps.evm, to, { field: 'address' });
      const by = requesterOf(caller, request);
      const tx_hash = await testMint(deps, { chain, to, amount, operation, by });
      return { tx_hash, mode, address: to, chain };
    },
  }),
];

function chainFilter(name: string, wanted: string | undefined) {
  if (wanted === undefined) return undefined;
  const chain = chainNamed(wanted);
  if (chain !== undefined) return chain;
  throw wrongField(name, `must be one of ${CHAIN_KEYS.join(', ')}`);
}
