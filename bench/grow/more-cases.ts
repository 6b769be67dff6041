import { createHash } from 'node:crypto';
import { type Case, CHARGE } from './case.ts';
import type { Sizes } from './sizes.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const hashOf = (n: number): string => `0x${md5(String(n))}${md5(`b${n}`)}`;
/** As the data names the first transfer of the busy user. */
const uuidOf = (text: string): string =>
  md5(text).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
/** A number of twelve digits that no request of the run has used. */
const fresh = (n: number): string => `${Date.now()}${n}`.slice(-12);
const RECIPIENT = '0x0000000000000000000000000000000000000001';

/** What is asked for by name, and what writes beside payments. */
export const moreCases = (sizes: Sizes): Case[] => [
  ...moreMoney(sizes),
  ...moreOfChains(sizes),
  ...morePeople(sizes),
];

const moreMoney = ({ cardTransactions }: Sizes): Case[] => [
  {
    name: 'card reference',
    id: 'GET /card-checkout/card/reference/{reference_id}',
    as: 'busy',
    params: { reference_id: 'TOPUP-AAAAAAAAC' },
  },
  {
    name: 'card history, deep',
    id: 'GET /card-checkout/card/history',
    as: 'busy',
    query: { wallet_id: 2, before: cardTransactions / 2 },
  },
  {
    name: 'card validate',
    id: 'POST /card-checkout/card/validatecc',
    as: 'busy',
    body: {
      ...{ card_number: CHARGE.card_number, expiry_date: CHARGE.expiry_date },
      ...{ cvv: '123', currency: 'USD' },
    },
  },
  {
    name: 'card top-up, idempotent',
    id: 'POST /card-checkout/cardcc',
    as: 'quiet',
    keyed: true,
    body: { ...CHARGE, amount: '25.00' },
  },
  {
    name: 'card push',
    id: 'POST /card-checkout/card/manual_refund',
    as: 'busy',
    body: {
      ...{ amount: '1.00', currency_code: 'USD', card_number: '5555555555554444' },
      recipient_name: 'Ada Lovelace',
    },
  },
  {
    name: 'fiat wallet that is there',
    id: 'POST /wallets/fiat',
    as: 'busy',
    body: { currency: 'USD' },
  },
  {
    name: 'statement, busy, deep',
    id: 'GET /wallets/fiat/{wallet_id}/transactions',
    as: 'busy',
    params: { wallet_id: 2 },
    query: { before: 100 },
  },
];

const moreOfChains = ({ users }: Sizes): Case[] => [
  {
    name: 'crypto addresses',
    id: 'GET /manual/wallets/crypto/{bw_id}/addresses',
    as: 'busy',
    params: { bw_id: 2 },
  },
  {
    name: 'crypto wallet made',
    id: 'POST /manual/wallets/crypto',
    as: 'quiet',
    body: (n) => ({ user_id: 3, wallet_name: `W${fresh(n)}`, chain_id: 'sepolia' }),
  },
  {
    name: 'cross-chain details',
    id: 'GET /crosschain/details/{log_id}',
    as: 'busy',
    params: { log_id: uuidOf('x1') },
  },
  {
    name: 'cross-chain initiate',
    id: 'POST /crosschain/initiate',
    as: 'busy',
    body: {
      ...{ from_chain: 'sepolia', to_chain: 'amoy', token: 'USDC', user_id: 2, amount: '1' },
      recipient_address: RECIPIENT,
    },
  },
  { name: 'fee settings', id: 'GET /onchain/admin/fee-settings', as: 'admin' },
  {
    name: 'on-chain details',
    id: 'GET /onchain/details/{tx_hash}',
    as: 'busy',
    params: { tx_hash: hashOf(1) },
  },
  {
    name: 'on-chain details, unknown',
    id: 'GET /onchain/details/{tx_hash}',
    as: 'busy',
    params: { tx_hash: hashOf(users * 1000) },
  },
];

const morePeople = ({ users }: Sizes): Case[] => [
  { name: 'key made by anybody', id: 'POST /keys/generate-sdk-key', body: {} },
  { name: 'key made', id: 'POST /keys/sdk-key', as: 'quiet', body: {} },
  { name: '2fa audit', id: 'GET /2fa/audit', as: 'busy' },
  {
    name: 'verification history, busy',
    id: 'GET /ekyc/history/{user_id}',
    as: 'busy',
    params: { user_id: 2 },
  },
  { name: 'external log-in health', id: 'GET /extauth/health', as: 'busy' },
  {
    name: 'users, small client, last page',
    id: 'GET /users/users',
    as: 'smallAdmin',
    query: { before: users / 2 + 4 },
  },
  {
    name: 'log-in with a wrong password',
    id: 'POST /auth/login',
    body: (n) => ({ usernameoremail: `u${10 + n}@grown.example`, password: 'Not-this-one-1' }),
  },
  {
    name: 'client and admin made',
    id: 'POST /clients/create_with_admin',
    body: (n) => ({
      ...{ email: `new-${fresh(n)}@grown.example`, client_alias: `New ${fresh(n)}` },
      ...{ client_type: 'BUSINESS', country_code: 'US', phone: '+12025550100' },
    }),
  },
  {
    name: 'user made by an admin',
    id: 'POST /admins/users',
    as: 'admin',
    body: (n) => ({
      ...{ client_id: 2, username: `new${fresh(n)}`, email: `user-${fresh(n)}@grown.example` },
      ...{ phone: '+15550101', country_code: 'US' },
    }),
  },
  {
    name: 'rewards sign-up',
    id: 'POST /xusers/login',
    body: (n) => ({ phone: `+62812${fresh(n).slice(-8)}` }),
  },
  {
    name: 'rewards log-in with a device',
    id: 'POST /xusers/login',
    body: { phone: '+628110000007', device_token: 'device:grown' },
  },
  {
    name: 'contacts sync',
    id: 'POST /xcontacts/sync',
    as: 'member',
    body: { contacts: [{ contact_name: 'Ada', contact_phone: '+628110000009' }] },
  },
];
