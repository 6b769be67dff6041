import { type Case, CHARGE } from './case.ts';
import { moreCases } from './more-cases.ts';
import { people, type Sizes } from './sizes.ts';

/** Lists, histories, probes and the commonest writes: whatever could grow with what is there. */
export function casesAt(sizes: Sizes): readonly Case[] {
  const { busy, quiet } = people(sizes);
  return [
    ...moneyCases(busy, quiet),
    ...chainCases(sizes, busy, quiet),
    ...peopleCases(sizes),
    ...moreCases(sizes),
  ];
}

const moneyCases = (busy: number, quiet: number): Case[] => [
  ...(
    [
      ['busy', busy],
      ['quiet', quiet],
    ] as const
  ).flatMap(([as, n]): Case[] => [
    {
      name: `card history, ${as}`,
      id: 'GET /card-checkout/card/history',
      as,
      query: { wallet_id: n },
    },
    {
      name: `statement, ${as}`,
      id: 'GET /wallets/fiat/{wallet_id}/transactions',
      as,
      params: { wallet_id: n },
    },
    {
      name: `card top-up, ${as}`,
      id: 'POST /card-checkout/cardcc',
      as,
      body: { ...CHARGE, amount: '25.00' },
    },
    { name: `fiat wallets, ${as}`, id: 'GET /wallets/fiat/{user_id}', as, params: { user_id: n } },
  ]),
  { name: 'fee', id: 'GET /card-checkout/card/fee' },
];

const chainCases = (sizes: Sizes, busy: number, quiet: number): Case[] => [
  ...(
    [
      ['busy', busy],
      ['quiet', quiet],
    ] as const
  ).flatMap(([as, user_id]): Case[] => [
    {
      name: `transactions, ${as}`,
      id: 'GET /transactions/{user_id}/history',
      as,
      params: { user_id },
    },
    {
      name: `on-chain history, ${as}`,
      id: 'GET /onchain/history/{user_id}',
      as,
      params: { user_id },
    },
    {
      name: `cross-chain history, ${as}`,
      id: 'GET /crosschain/history/{user_id}',
      as,
      params: { user_id },
    },
    {
      name: `crypto wallets, ${as}`,
      id: 'GET /manual/wallets/crypto/{user_id}',
      as,
      params: { user_id },
    },
  ]),
  {
    name: 'on-chain history, deep',
    id: 'GET /onchain/history/{user_id}',
    as: 'busy',
    params: { user_id: busy },
    query: { offset: sizes.chainTransactions / 2 },
  },
  {
    name: 'cross-chain history, deep',
    id: 'GET /crosschain/history/{user_id}',
    as: 'busy',
    params: { user_id: busy },
    query: { offset: sizes.crosschain / 2 },
  },
  {
    name: 'cross-chain history, to a chain',
    id: 'GET /crosschain/history/{user_id}',
    as: 'busy',
    params: { user_id: busy },
    query: { to_chain: 'sepolia' },
  },
  { name: 'rupiah tokens bought', id: 'GET /idrtoken/transactions/mint', as: 'busy' },
  { name: 'rupiah tokens sold', id: 'GET /idrtoken/transactions/redeem', as: 'busy' },
  { name: 'XRPL history', id: 'GET /xrpl/history', as: 'busy' },
  { name: 'marketplace orders', id: 'GET /marketplace/orders', as: 'busy' },
  { name: 'events', id: 'GET /events', as: 'admin' },
];

const peopleCases = ({ users }: Sizes): Case[] => [
  { name: 'user', id: 'GET /users/{user_id}', as: 'busy', params: { user_id: 2 } },
  { name: 'users, operator', id: 'GET /users/users', as: 'operator' },
  { name: 'users, operator, 20', id: 'GET /users/users', as: 'operator', query: { limit: 20 } },
  { name: 'users, big client', id: 'GET /users/users', as: 'admin' },
  {
    name: 'users, page with the busy user',
    id: 'GET /users/users',
    as: 'admin',
    query: { before: 100 },
  },
  { name: 'users, small client', id: 'GET /users/users', as: 'smallAdmin' },
  { name: 'countries', id: 'GET /users/countries', as: 'busy' },
  { name: 'admins, operator', id: 'GET /admins/list', as: 'operator' },
  { name: 'admins, operator, 50', id: 'GET /admins/list', as: 'operator', query: { limit: 50 } },
  { name: 'admins, big client, 50', id: 'GET /admins/list', as: 'admin', query: { limit: 50 } },
  { name: 'admins, small client', id: 'GET /admins/list', as: 'smallAdmin' },
  {
    name: 'admin reads a user',
    id: 'GET /admins/users/{user_id}',
    as: 'admin',
    params: { user_id: 2 },
  },
  { name: 'audit, operator', id: 'GET /admins/audit', as: 'operator' },
  { name: 'audit, big client', id: 'GET /admins/audit', as: 'admin' },
  { name: 'audit, small client', id: 'GET /admins/audit', as: 'smallAdmin' },
  {
    name: 'audit, rare action',
    id: 'GET /admins/audit',
    as: 'admin',
    query: { action: 'ADMIN_CREATE_USER' },
  },
  {
    name: 'audit, unknown action',
    id: 'GET /admins/audit',
    as: 'operator',
    query: { action: 'NOTHING' },
  },
  { name: 'clients, operator', id: 'GET /clients', as: 'operator' },
  { name: 'my instances', id: 'GET /clients/my-instances', as: 'admin' },
  { name: 'sessions, busy', id: 'GET /sessions', as: 'busy' },
  { name: 'sessions, quiet', id: 'GET /sessions', as: 'quiet' },
  { name: 'keys', id: 'GET /keys/sdk-key', as: 'busy' },
  { name: '2fa status', id: 'GET /2fa/status', as: 'busy' },
  {
    name: 'verification',
    id: 'GET /ekyc/status/{user_id}',
    as: 'busy',
    params: { user_id: 2 },
    query: { client_id: 2 },
  },
  { name: 'external log-ins', id: 'GET /extauth/auth/profile', as: 'busy' },
  { name: 'external log-in counts, operator', id: 'GET /extauth/stats', as: 'operator' },
  { name: 'external log-in counts, big client', id: 'GET /extauth/stats', as: 'admin' },
  { name: 'external log-in counts, small client', id: 'GET /extauth/stats', as: 'smallAdmin' },
  { name: 'notifications', id: 'GET /xusers/notifications', as: 'member' },
  { name: 'member', id: 'GET /xprofiles/getme', as: 'member' },
  { name: 'invited friends', id: 'GET /xreff/invited-friends', as: 'member' },
  { name: 'wishlist', id: 'GET /xwishlist/count' },
  {
    name: 'rewards log-in',
    id: 'POST /xusers/login',
    body: { phone: `+62811${String(users / 10).padStart(7, '0')}` },
  },
  { name: 'ready', id: 'GET /health/ready' },
  { name: 'metrics', id: 'GET /metrics' },
];
