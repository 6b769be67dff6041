import { Type } from 'typebox';
import type { NetworkContents, SeenTransaction } from '#chains/network-view.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, Nullable, oneOfWords, stamped, text } from '#kernel/http/declare/schema.ts';
import { type Asset, SCALE } from '#kernel/money/money.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { listPayments } from '#kernel/payment-list/payment-list-store.ts';
import type { NetworksDeps } from './deps.ts';
import { ifAnswered } from './kept-answer.ts';
import type { ObservedNetwork } from './network.ts';
import {
  decimalText,
  MoveBody,
  NetworkBody,
  shownMove,
  shownNetwork,
  TRANSACTION_STATUSES,
  whatItDoes,
} from './presenters.ts';
import { listNetworkStates, type NetworkState } from './store.ts';

const endpoint = endpoints(codedEnvelope);

const ById = Type.Object({ id: text(40) });
const NOTHING: NetworkContents = { contracts: {}, tokens: [] };

/** The networks: what they are, what they cost, and what of a transaction or an address they know. */
export const networkRoutes = (deps: NetworksDeps): Route[] => [
  endpoint('GET /networks', {
    name: 'networks.list',
    auth: 'key',
    summary: 'Lists the networks with their state, fees, contracts and tokens',
    reply: { 200: stamped({ data: Type.Object({ items: Type.Array(NetworkBody) }) }) },
    fault: 'Failed to list networks',
    async handler({ db }) {
      const states = await listNetworkStates(db);
      const items = deps.networks.map((network) => sightOf(deps, db, network, states));
      return { data: { items: await Promise.all(items) } };
    },
  }),

  endpoint('GET /networks/{id}', {
    name: 'networks.get',
    auth: 'key',
    errors: ['NOT_FOUND'],
    summary: 'Shows one network',
    params: ById,
    reply: { 200: stamped({ data: NetworkBody }) },
    fault: 'Failed to read a network',
    async handler({ params, db }) {
      const network = findNetwork(deps, params.id);
      return { data: await sightOf(deps, db, network, await listNetworkStates(db)) };
    },
  }),
  transactionRoute(deps),
  addressRoute(deps),
];

/** Throws NOT_FOUND. */
export function findNetwork(
  { networks }: Pick<NetworksDeps, 'networks'>,
  id: string,
): ObservedNetwork {
  const found = networks.find((network) => network.id === id);
  if (!found) throw fail('NOT_FOUND', 'There is no such network');
  return found;
}

/** A network that is away is shown with the last block that a process has seen. */
async function sightOf(
  { clock, fx }: NetworksDeps,
  db: Db,
  network: ObservedNetwork,
  states: readonly NetworkState[],
) {
  const { chain } = network;
  const [newest, fees, contents, seconds_p50, rate] = await Promise.all([
    network.newest(),
    network.fees(),
    network.contents(),
    chain.view.finalityP50(db),
    fx.rate(chain.native, 'USDC'),
  ]);
  const now = ifAnswered(newest);
  return shownNetwork({
    network_id: network.id,
    chain,
    isThere: now !== undefined,
    head: now ?? lastHead(states.find(({ network_id }) => network_id === network.id)),
    fees: ifAnswered(fees),
    ...(ifAnswered(contents) ?? NOTHING),
    seconds_p50,
    now: clock.now(),
    usd: ifAnswered(rate)?.rate,
  });
}

function lastHead(state: NetworkState | undefined) {
  const { height = null, block_hash: hash = null, block_at: at = null } = state ?? {};
  if (height === null || hash === null || at === null) return undefined;
  return { height, hash, at: new Date(at) };
}

const OwnThing = named('OwnThing', { type: Type.String(), id: Type.String() });

const TransactionBody = named('NetworkTransaction', {
  hash: Type.String(),
  status: oneOfWords(TRANSACTION_STATUSES),
  block: Nullable(Type.Integer()),
  confirmations: Type.Integer(),
  fee: explained(Nullable(Type.String()), 'In the network’s coin'),
  moves: Type.Array(MoveBody),
  what: explained(Type.String(), 'What it does, in one sentence'),
  proof_url: explained(Type.String(), 'Where a person sees the same from another side'),
  own: explained(
    Nullable(OwnThing),
    'The thing of one’s own that it belongs to; null without a log-in',
  ),
});

const transactionRoute = (deps: NetworksDeps): Route =>
  endpoint('GET /networks/{id}/transactions/{hash}', {
    name: 'networks.getTransaction',
    auth: 'either',
    errors: ['NOT_FOUND', 'INVALID_TX_HASH', 'PROVIDER_UNAVAILABLE'],
    summary: 'Shows what a network knows of a transaction, decoded',
    params: Type.Object({ id: text(40), hash: text(200) }),
    reply: { 200: stamped({ data: TransactionBody }) },
    fault: 'Failed to read a transaction',
    async handler({ caller, params, db }) {
      const { id, chain } = findNetwork(deps, params.id);
      const { view, native } = chain;
      const hash = view.typedHash(params.hash);
      if (hash === undefined)
        throw fail('INVALID_TX_HASH', `That is no hash of a transaction on ${id}`);
      const answer = await view.transaction(hash);
      if (answer.kind !== 'done') throw away(id);
      const own = 'user_id' in caller ? await ownThing(deps, db, caller, hash) : null;
      const place = { hash, proof_url: view.explorerUrl(hash), own };
      return { data: { ...place, ...shownTransaction(answer.value, native) } };
    },
  });

function shownTransaction(seen: SeenTransaction | undefined, native: Asset) {
  if (!seen)
    return {
      status: 'UNKNOWN' as const,
      block: null,
      confirmations: 0,
      fee: null,
      moves: [],
      what: 'The network does not know it: it was never sent there, or not taken',
    };
  const { status, block, confirmations, fee, moves } = seen;
  const digits = SCALE[native];
  return {
    status,
    block,
    confirmations,
    fee: fee === null ? null : decimalText({ units: fee, digits }),
    moves: moves.map(shownMove),
    what: whatItDoes(seen),
  };
}

/** The caller's payment of that hash, if there is one. */
async function ownThing(
  { sources }: NetworksDeps,
  db: Db,
  caller: Parameters<typeof tenantScopeOf>[0],
  hash: string,
) {
  const of = { scope: tenantScopeOf(caller), reader: namesReaderOf(caller), sources: sources() };
  const page = { limit: 1, before: undefined };
  const { rows } = await listPayments(db, of, { provider_reference: hash }, page);
  const [row] = rows;
  return row ? { type: row.object_type, id: row.object_id } : null;
}

export const away = (network: string) =>
  fail('PROVIDER_UNAVAILABLE', `${network} cannot be reached at the moment`, { retryAfter: 5 });

const TrustLine = named('TrustLine', {
  currency: Type.String(),
  issuer: Type.String(),
  limit: Type.String(),
  balance: Type.String(),
});

const AddressBody = named('NetworkAddress', {
  balances: Type.Array(Type.Object({ asset: Type.String(), amount: Type.String() })),
  nonce: Type.Optional(explained(Type.Integer(), 'Transactions it has sent, or its next sequence')),
  is_contract: Type.Optional(Type.Boolean()),
  requires_tag: Type.Optional(explained(Type.Boolean(), 'It takes no payment without a tag')),
  trust_lines: Type.Optional(Type.Array(TrustLine)),
});

const addressRoute = (deps: NetworksDeps): Route =>
  endpoint('GET /networks/{id}/addresses/{address}', {
    name: 'networks.getAddress',
    auth: 'key',
    errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
    summary: 'Shows what an address has on a network',
    params: Type.Object({ id: text(40), address: text(150) }),
    reply: { 200: stamped({ data: AddressBody }) },
    fault: 'Failed to read an address',
    async handler({ params }) {
      const { id, chain } = findNetwork(deps, params.id);
      const address = await chain.typedAddress(params.address);
      if (address === undefined) throw wrongField('address', `must be ${chain.addressForm}`);
      const answer = await chain.view.address(address);
      if (answer.kind !== 'done') throw away(id);
      const { balances, trust_lines, ...rest } = answer.value;
      const data = {
        balances: balances.map(({ asset, ...amount }) => ({ asset, amount: decimalText(amount) })),
        ...rest,
        ...(trust_lines && { trust_lines: [...trust_lines] }),
      };
      return { data };
    },
  });
