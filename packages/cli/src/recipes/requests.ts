import { two } from './banking.ts';
import type { Recipe } from './recipe.ts';
import type { Stage } from './stage.ts';

/** A person asks another one, who has money, for some of it. */
async function request(stage: Stage, more: object = {}) {
  const pair = await two(stage);
  const { data } = await pair.to.archipay.paymentRequests.create({
    to: { user_id: pair.from.user_id },
    wallet_id: pair.to_wallet_id,
    amount: '20.00',
    ...more,
  });
  return { ...pair, request_id: data.request_id };
}

export const REQUESTS: readonly Recipe[] = [
  {
    types: ['payment_request.created', 'payment_request.accepted'],
    how: 'A user asks another one for money, who pays it.',
    async run(stage) {
      const { from, from_wallet_id, request_id } = await request(stage);
      await from.archipay.paymentRequests.accept({ request_id, from_wallet_id });
    },
  },
  {
    types: ['payment_request.declined'],
    how: 'A user asks another one for money, who declines.',
    async run(stage) {
      const { from, request_id } = await request(stage);
      await from.archipay.paymentRequests.decline({ request_id });
    },
  },
  {
    types: ['payment_request.expired'],
    how: 'A user asks another one for money, who does not answer in time.',
    movesClock: true,
    async run(stage) {
      await request(stage, { expires_in_s: 3600 });
      await stage.clock(3700);
    },
  },
  {
    types: ['payment_request.cancelled'],
    how: 'A user asks another one for money, and takes that back.',
    async run(stage) {
      const { to, request_id } = await request(stage);
      await to.archipay.paymentRequests.cancel({ request_id });
    },
  },
];
