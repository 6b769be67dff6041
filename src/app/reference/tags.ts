/** What a newcomer meets in this order; the thing in front of an operation's name is its tag. */
export const JOURNEY = {
  Start: {
    keys: 'API keys: what an application says who it is with. The first one is free and made at once.',
    clients:
      'The organisations that use the platform, each with an admin, who gets a password by mail.',
    auth: 'Log-in with a password, and with a second factor where one is set up. Answers the token.',
  },
  People: {
    users:
      'The people of a client: their profile, their terms, and what others ask for in their name.',
    admins: 'What admins do for the people of their client, and what of that is on record.',
    instances: 'The shops, apps or branches into which a client divides its business.',
    sessions: 'The open log-ins of a person, which can be ended one by one or all at once.',
    password: 'A new password by mail, for those who have lost theirs.',
    twoFactor: 'A second factor: an authenticator app, and backup codes for when it is lost.',
    externalLogin: 'Log-in with an account or wallet that an external provider has proven.',
  },
  Verification: {
    verification: 'Who somebody is: links and tokens for the identity provider, and how it stands.',
    partnerCustomers: 'A verified user as a customer of the partner that moves their money.',
  },
  Fiat: {
    fiatWallets: 'Wallets in currencies, one of each for a user, and their statements.',
    bankLink: 'Bank accounts that people link, and top-ups drawn from them.',
    fx: 'What money is worth in another currency.',
  },
  Cards: {
    cards: 'Top-ups from cards, what is given back to them and what is pushed to them.',
  },
  Crypto: {
    cryptoWallets: 'Wallets that the platform keeps for a user, with addresses on each chain.',
    tokens: 'Tokens by their contract, beside those that every wallet has.',
    onchain: 'What leaves a wallet on one chain, and what has left it.',
    crosschain: 'USDC from one chain to another: burnt here, minted there.',
    walletProofs: 'Wallets of a user’s own, proven by a signature.',
    feeSettings: 'What the platform takes of transfers, by client.',
    agent: 'Wallets by plain words, in English or Indonesian.',
  },
  Ramps: {
    idrTokens: 'Rupiah tokens: bought and redeemed for rupiah at a bank.',
    exchangeWallets: 'Where the USDC goes that rupiah are converted to.',
    conversions: 'Rupiah to USDC at an exchange, job by job.',
    cardano: 'From a card or wallet over USDC on Cardano to a wallet, a bank or an address.',
    xrpl: 'USDC on the XRP Ledger for money of a wallet, and back.',
  },
  Purchases: {
    purchases: 'Goods of web shops, read off their pages and paid in USDC.',
    marketplace: 'Goods of two marketplaces, ordered and paid in USDC.',
  },
  Rewards: {
    rewards: 'The rewards app: members by phone number, and what they get points for.',
  },
  Events: {
    events: 'What has happened, as a list and as a stream.',
    webhookEndpoints: 'Where what happens is sent to, signed, until it is taken.',
    webhooks: 'What is sent there: one operation for each kind of event.',
  },
  Operations: {
    callbacks:
      'What providers call, and no application: here for operators, who tell providers these addresses.',
    mcp: 'The API as tools for language models.',
    console:
      'How the operator’s people log in to the console: asked by its own page, and answered by a cookie.',
    desk: 'What waits for the operator’s people, and what has happened to one thing.',
    adjustments:
      'Corrections of the ledger: one of the operator’s people proposes, another one approves.',
    reconciliation: 'Where our books and those of a provider or chain differ.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** `fiatWallets` as Fiat wallets. */
const shown = (name: string): string =>
  SHORT[name] ??
  name
    .replace(/^./, (c) => c.toUpperCase())
    .replace(/[A-Z]/g, (c, at) => (at ? ` ${c.toLowerCase()}` : c));

const SHORT: Readonly<Record<string, string>> = {
  callbacks: 'Call-backs of providers',
  fx: 'FX',
  mcp: 'MCP',
  xrpl: 'XRPL',
  idrTokens: 'IDR tokens',
};

export const TAGS = Object.values(JOURNEY).flatMap((tags) =>
  Object.entries<string>(tags).map(([name, description]) => ({
    name,
    'x-displayName': shown(name),
    description,
  })),
);

export const GROUPS = Object.entries(JOURNEY).map(([name, tags]) => ({
  name,
  tags: Object.keys(tags),
}));
