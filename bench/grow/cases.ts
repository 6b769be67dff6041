import { type Case, casesOf } from './case.ts';
import { people, type Sizes } from './sizes.ts';
import { hashOf, uuidOf } from './values.ts';
import { writesAt } from './writes.ts';

/** Lists, histories, probes and writes: every request whose cost could grow with the data. */
export const casesAt = (sizes: Sizes): readonly Case[] => [
  ...historiesOf('busy', sizes),
  ...historiesOf('quiet', sizes),
  ...deepHistories(sizes),
  ...byName(sizes),
  ...ofOthers(sizes),
  ...ofTheOperator(),
  ...ofAMember(),
  ...withoutUser(),
  ...writesAt(sizes),
];

/** A user's own data, with a long history or a short one. */
function historiesOf(as: 'busy' | 'quiet', sizes: Sizes): Case[] {
  const user_id = people(sizes)[as];
  const given = { params: { user_id } };
  const wallet = { params: { wallet_id: user_id } };
  return casesOf(as, [
    [`card history, ${as}`, 'GET /card-checkout/card/history', { query: { wallet_id: user_id } }],
    [`statement, ${as}`, 'GET /wallets/fiat/{wallet_id}/transactions', wallet],
    [`fiat wallets, ${as}`, 'GET /wallets/fiat/{user_id}', given],
    [`transactions, ${as}`, 'GET /transactions/{user_id}/history', given],
    [`on-chain history, ${as}`, 'GET /onchain/history/{user_id}', given],
    [`cross-chain history, ${as}`, 'GET /crosschain/history/{user_id}', given],
    [`crypto wallets, ${as}`, 'GET /manual/wallets/crypto/{user_id}', given],
    [`crypto balance, ${as}`, 'GET /wallets/{wallet_id}/balance', wallet],
    [`sessions, ${as}`, 'GET /sessions'],
  ]);
}

function deepHistories({ chainTransactions, crosschain, cardTransactions, moved }: Sizes): Case[] {
  const params = { user_id: 2 };
  const statement = { params: { wallet_id: 2 }, query: { before: 100 } };
  const cards = { query: { wallet_id: 2, before: cardTransactions / 2 } };
  const onchain = { params, query: { offset: chainTransactions / 2 } };
  const across = { params, query: { offset: crosschain / 2 } };
  const toChain = { params, query: { to_chain: 'sepolia' } };
  return casesOf('busy', [
    ['statement, busy, deep', 'GET /wallets/fiat/{wallet_id}/transactions', statement],
    ['card history, deep', 'GET /card-checkout/card/history', cards],
    ['on-chain history, deep', 'GET /onchain/history/{user_id}', onchain],
    ['cross-chain history, deep', 'GET /crosschain/history/{user_id}', across],
    ['cross-chain history, to a chain', 'GET /crosschain/history/{user_id}', toChain],
    ['rupiah tokens bought', 'GET /idrtoken/transactions/mint'],
    ['rupiah tokens sold', 'GET /idrtoken/transactions/redeem'],
    ['XRPL history', 'GET /xrpl/history'],
    ['marketplace orders', 'GET /marketplace/orders'],
    ['verification history, busy', 'GET /ekyc/history/{user_id}', { params }],
    ['2fa audit', 'GET /2fa/audit'],
    ['Cardano history', 'GET /cardano/history/{user_id}', { params }],
    [
      'Cardano history, deep',
      'GET /cardano/history/{user_id}',
      { params, query: { before: moved } },
    ],
    [
      'Cardano history, of a status',
      'GET /cardano/history/{user_id}',
      { params, query: { status: 'FAILED' } },
    ],
    ['Cardano volume', 'GET /cardano/volume/{user_id}', { params }],
    ['XRPL history, deep', 'GET /xrpl/history', { query: { before: moved / 2 } }],
  ]);
}

/** A single object of many. */
const byName = ({ users }: Sizes): Case[] => {
  const params = { user_id: 2 };
  const reference = { params: { reference_id: 'TOPUP-AAAAAAAAC' } };
  const verification = { params, query: { client_id: 2 } };
  const unknown = { params: { tx_hash: hashOf(users * 1000) } };
  return casesOf('busy', [
    ['user', 'GET /users/{user_id}', { params }],
    ['verification', 'GET /ekyc/status/{user_id}', verification],
    ['2fa status', 'GET /2fa/status'],
    ['keys', 'GET /keys/sdk-key'],
    ['external log-ins', 'GET /extauth/auth/profile'],
    ['external log-in health', 'GET /extauth/health'],
    ['countries', 'GET /users/countries'],
    ['card reference', 'GET /card-checkout/card/reference/{reference_id}', reference],
    ['fee', 'GET /card-checkout/card/fee'],
    ['crypto addresses', 'GET /manual/wallets/crypto/{bw_id}/addresses', { params: { bw_id: 2 } }],
    [
      'cross-chain details',
      'GET /crosschain/details/{log_id}',
      { params: { log_id: uuidOf('x1') } },
    ],
    ['on-chain details', 'GET /onchain/details/{tx_hash}', { params: { tx_hash: hashOf(1) } }],
    ['on-chain details, unknown', 'GET /onchain/details/{tx_hash}', unknown],
    ['partner customer', 'GET /pspb/status', { query: { user_id: 2 } }],
    ['bank link', 'GET /banklink/{wallet_id}/check', { params: { wallet_id: 2 } }],
    ['conversion', 'GET /exchange/conversion/status/{job_id}', { params: { job_id: 1 } }],
    ['wallets at the exchange', 'GET /exchange/crypto-wallet/list'],
    [
      'mint',
      'GET /idrtoken/onramp/status/{reference_id}',
      { params: { reference_id: 'MINT-2-1' } },
    ],
    ['XRPL payment', 'GET /xrpl/onramp/status/{txid}', { params: { txid: 1 } }],
  ]);
};

const ofOthers = ({ users }: Sizes): Case[] => [
  ...casesOf('admin', [
    ['admin reads a user', 'GET /admins/users/{user_id}', { params: { user_id: 2 } }],
    ['users, big client', 'GET /users/users'],
    ['users, page with the busy user', 'GET /users/users', { query: { before: 100 } }],
    ['admins, big client, 50', 'GET /admins/list', { query: { limit: 50 } }],
    ['audit, big client', 'GET /admins/audit'],
    ['audit, rare action', 'GET /admins/audit', { query: { action: 'ADMIN_CREATE_USER' } }],
    ['my instances', 'GET /clients/my-instances'],
    ['external log-in counts, big client', 'GET /extauth/stats'],
    ['events', 'GET /events'],
    ['fee settings', 'GET /onchain/admin/fee-settings'],
    ['conversions of tomorrow, big client', 'GET /exchange/conversion/pending'],
  ]),
  ...casesOf('smallAdmin', [
    ['users, small client', 'GET /users/users'],
    ['users, small client, last page', 'GET /users/users', { query: { before: users / 2 + 4 } }],
    ['admins, small client', 'GET /admins/list'],
    ['audit, small client', 'GET /admins/audit'],
    ['external log-in counts, small client', 'GET /extauth/stats'],
  ]),
];

const ofTheOperator = (): Case[] =>
  casesOf('operator', [
    ['users, operator', 'GET /users/users'],
    ['users, operator, 20', 'GET /users/users', { query: { limit: 20 } }],
    ['admins, operator', 'GET /admins/list'],
    ['admins, operator, 50', 'GET /admins/list', { query: { limit: 50 } }],
    ['audit, operator', 'GET /admins/audit'],
    ['audit, unknown action', 'GET /admins/audit', { query: { action: 'NOTHING' } }],
    ['clients, operator', 'GET /clients'],
    ['external log-in counts, operator', 'GET /extauth/stats'],
    ['conversions of tomorrow, operator', 'GET /exchange/conversion/pending'],
    ['payments to the marketplace', 'GET /marketplace/payments'],
    ['breaks', 'GET /reconciliation/breaks'],
  ]);

const ofAMember = (): Case[] =>
  casesOf('member', [
    ['notifications', 'GET /xusers/notifications'],
    ['member', 'GET /xprofiles/getme'],
    ['invited friends', 'GET /xreff/invited-friends'],
  ]);

const withoutUser = (): Case[] =>
  casesOf(undefined, [
    ['wishlist', 'GET /xwishlist/count'],
    ['ready', 'GET /health/ready'],
    ['metrics', 'GET /metrics'],
  ]);
