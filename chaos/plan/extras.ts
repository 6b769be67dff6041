/** The wrong ways of paying a purchase in rupiah. */
const HOWS = ['late', 'over', 'under', 'twice'] as const;
export type How = (typeof HOWS)[number];

/** The flows of every run, in the midst of the clients' work: each a fixed number of times. */
export type ExtraFlow =
  /** The operator's people credit a wallet, and may reverse it. */
  | { readonly kind: 'correction'; readonly cents: number; readonly undone: boolean }
  /** An admin freezes a wallet while its owner pays out of it, and releases it. `cents` of each payment. */
  | { readonly kind: 'freeze'; readonly cents: number }
  /** A guest of the run, or the guest's client, is stopped while the guest pays, and reinstated. */
  | { readonly kind: 'stop'; readonly whom: 'person' | 'client'; readonly cents: number }
  /** The network takes card payments back: some were refunded before, some it returns. */
  | { readonly kind: 'charge-back'; readonly cents: number }
  /** A user pays the next one, and then an account at a bank. */
  | { readonly kind: 'pay-on'; readonly cents: number; readonly account: string }
  /** A user asks the next one for money, and pays two accounts at a bank in one batch. `cents` of the request. */
  | { readonly kind: 'wages'; readonly cents: number; readonly account: string }
  /** Rupiah come too late, as another sum, or twice, and the operator settles them. */
  | { readonly kind: 'late-payment'; readonly how: How; readonly rupiah: number };

const GUESTS = 4;

/**
 * The extra flows of a client, each with its position. Wallets that are frozen or charged back belong to one client,
 * whose flow decides the moment.
 */
export function extrasOf(
  client: number,
  isFirstOfUser: boolean,
): readonly (readonly [at: number, name: string, flow: ExtraFlow])[] {
  const how = HOWS[client % HOWS.length] ?? 'late';
  const whom = client % 2 === 0 ? 'person' : 'client';
  return [
    [
      client * 5,
      'correction',
      { kind: 'correction', cents: 700 + client, undone: client % 2 === 0 },
    ],
    [
      client * 9 + 2,
      'pay-on',
      { kind: 'pay-on', cents: 1_500 + client, account: `0001234${10_000 + client}` },
    ],
    [
      client * 8 + 4,
      'wages',
      { kind: 'wages', cents: 400 + client, account: `0009876${10_000 + client}` },
    ],
    [client * 11 + 1, 'late', { kind: 'late-payment', how, rupiah: 60_000 + client }],
    ...(isFirstOfUser
      ? ([
          [client * 7 + 3, 'freeze', { kind: 'freeze', cents: 1_000 + client }],
          [client * 3 + 6, 'charge-back', { kind: 'charge-back', cents: 40_000 + client * 10 }],
        ] as const)
      : []),
    ...(client < GUESTS
      ? ([[client * 2 + 5, 'stop', { kind: 'stop', whom, cents: 3_000 + client }]] as const)
      : []),
  ];
}
