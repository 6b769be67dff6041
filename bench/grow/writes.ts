import { type Case, casesOf } from './case.ts';
import type { Sizes } from './sizes.ts';
import { fresh, hashOf, PASSWORD } from './values.ts';

const RECIPIENT = '0x00000000000000000000000000000000000a11ce';
const CARD = { card_number: '4111111111111111', expiry_date: '1239' };
const TOP_UP = { ...CARD, amount: '25.00', currency_code: 'USD' };
const PUSH = {
  card_number: '5555555555554444',
  recipient_name: 'Ada Lovelace',
  amount: '1.00',
  currency_code: 'USD',
};
const ACROSS = {
  user_id: 2,
  from_chain: 'sepolia',
  to_chain: 'amoy',
  token: 'USDC',
  amount: '1',
  recipient_address: RECIPIENT,
};
const FEES = {
  platform_fee_percentage: '1',
  minimum_platform_fee_usd: '0.5',
  gas_price_multiplier: '1.2',
};

/** The commonest writing requests, of every kind. */
export const writesAt = (sizes: Sizes): Case[] => [
  ...payments(),
  ...onChains(),
  ...byAdmins(),
  ...byUsers(),
  ...byStrangers(),
  ...ofRewards(sizes),
];

const payments = (): Case[] => [
  ...(['busy', 'quiet'] as const).flatMap((as) =>
    casesOf(as, [[`card top-up, ${as}`, 'POST /card-checkout/cardcc', { body: TOP_UP }]]),
  ),
  ...casesOf('quiet', [
    ['card top-up, idempotent', 'POST /card-checkout/cardcc', { body: TOP_UP, keyed: true }],
  ]),
  ...casesOf('busy', [
    [
      'card validate',
      'POST /card-checkout/card/validatecc',
      { body: { ...CARD, cvv: '123', currency: 'USD' } },
    ],
    ['card push', 'POST /card-checkout/card/manual_refund', { body: PUSH }],
    ['fiat wallet that is there', 'POST /wallets/fiat', { body: { currency: 'USD' } }],
  ]),
];

const onChains = (): Case[] => [
  ...casesOf('quiet', [
    [
      'crypto wallet made',
      'POST /manual/wallets/crypto',
      { body: (n) => ({ user_id: 3, wallet_name: `W${fresh(n)}`, chain_id: 'sepolia' }) },
    ],
  ]),
  ...casesOf('busy', [
    ['cross-chain initiate', 'POST /crosschain/initiate', { body: ACROSS }],
    ['on-chain report', 'POST /onchain/log', { body: reported }],
  ]),
];

const reported = (n: number) => ({
  bw_id: 2,
  chain_id: 'sepolia',
  token_symbol: 'ETH',
  token_contract: 'native',
  to_address: RECIPIENT,
  amount: '1',
  gas_fee: '0.001',
  platform_fee: '0',
  tx_hash: hashOf(Number(fresh(n))),
});

const byAdmins = (): Case[] =>
  casesOf('admin', [
    ['fee settings put', 'PUT /onchain/admin/fee-settings', { body: FEES }],
    [
      'user made by an admin',
      'POST /admins/users',
      {
        body: (n) => ({
          client_id: 2,
          username: `new${fresh(n)}`,
          email: `user-${fresh(n)}@grown.example`,
          phone: '+15550101',
          country_code: 'US',
        }),
      },
    ],
  ]);

const byUsers = (): Case[] =>
  casesOf('quiet', [
    ['key made', 'POST /keys/sdk-key', { body: {} }],
    ['identity token', 'POST /ekyc/idv/token', { body: {} }],
    [
      'profile updated',
      'PUT /users/update_profile/{user_id}',
      {
        params: { user_id: 3 },
        body: (n) => ({ username: `quiet${fresh(n)}`, current_password: PASSWORD }),
      },
    ],
  ]);

const byStrangers = (): Case[] =>
  casesOf(undefined, [
    ['key made by anybody', 'POST /keys/generate-sdk-key', { body: {} }],
    [
      'log-in',
      'POST /auth/login',
      { body: { usernameoremail: 'u2@grown.example', password: PASSWORD } },
    ],
    [
      'log-in with a wrong password',
      'POST /auth/login',
      {
        body: (n) => ({
          usernameoremail: `u${10 + n}@grown.example`,
          password: 'Not-this-one-1',
        }),
      },
    ],
    [
      'password reset asked for',
      'POST /password/request_reset',
      { body: (n) => ({ email: `u${10 + n}@grown.example` }) },
    ],
    ['profile code asked for', 'POST /users/request-otp', { body: (n) => ({ user_id: 10 + n }) }],
    [
      'client and admin made',
      'POST /clients/create_with_admin',
      {
        body: (n) => ({
          email: `new-${fresh(n)}@grown.example`,
          client_alias: `New ${fresh(n)}`,
          client_type: 'BUSINESS',
          country_code: 'US',
          phone: '+12025550100',
        }),
      },
    ],
  ]);

const ofRewards = (sizes: Sizes): Case[] => [
  ...casesOf(undefined, [
    [
      'rewards log-in',
      'POST /xusers/login',
      { body: { phone: `+62811${String(sizes.users / 10).padStart(7, '0')}` } },
    ],
    [
      'rewards log-in with a device',
      'POST /xusers/login',
      { body: { phone: '+628110000007', device_token: 'device:grown' } },
    ],
    [
      'rewards sign-up',
      'POST /xusers/login',
      { body: (n) => ({ phone: `+62812${fresh(n).slice(-8)}` }) },
    ],
    [
      'rewards code asked for',
      'POST /xotp/request',
      { body: (n) => ({ phone_number: `+62813${fresh(n).slice(-8)}`, purpose: 'login' }) },
    ],
  ]),
  ...casesOf('member', [
    [
      'contacts sync',
      'POST /xcontacts/sync',
      { body: { contacts: [{ contact_name: 'Ada', contact_phone: '+628110000009' }] } },
    ],
  ]),
];
