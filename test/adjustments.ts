import type { Asset } from '#kernel/money/money.ts';
import { cardUser } from './cards.ts';
import type { Body, Harness, Person } from './harness.ts';
import { logInAgain } from './log-in-again.ts';

type Answer = Promise<[number, Body]>;
type What = 'approve' | 'reject' | 'withdraw';

/** Two of the operator's admins who correct the ledger together; for tests. */
export async function correcting(h: Harness) {
  const ada = await h.operator();
  const ben = await h.operator();
  const propose = (as: Person, wish: object): Answer =>
    h.call('POST /adjustments', { as, body: { reason: 'A test', ...wish } });
  const decide = (
    as: Person,
    what: What,
    { adjustment_id }: { readonly adjustment_id: string },
    body = {},
  ): Answer =>
    h.call(`POST /adjustments/{adjustment_id}/${what}`, { as, params: { adjustment_id }, body });
  const walletOf = (of: Person) =>
    h.db
      .selectFrom('fiat_wallets')
      .select(['wallet_id', 'currency', 'account_id'])
      .where('user_id', '=', of.user_id)
      .executeTakeFirstOrThrow();
  return {
    ada,
    ben,
    propose,
    decide,
    walletOf,
    /** New log-ins for both, in place of lapsed ones. */
    logInAgain: () => Promise.all([logInAgain(h, ada), logInAgain(h, ben)]),
    balance: async (of: Person, asset: string = 'USD') =>
      (await cardUser(h, of).balance(asset as Asset))[0],
    /** A credit proposed and approved by both; answers its reference. */
    async give(to: Person, amount: string): Promise<string> {
      const { wallet_id, currency } = await walletOf(to);
      const wish = { kind: 'adjustment', direction: 'credit', wallet_id, currency, amount };
      const [, { data }] = await propose(ada, wish);
      const [, booked] = await decide(ben, 'approve', data);
      return booked.data.reference;
    },
  };
}
