import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const VERDICTS = {
  ALLOW: 'It goes on at once',
  DENY: 'A policy refuses it',
  LIMIT: 'It would pass a limit',
  STEP_UP: 'It needs another proof of who asks',
  APPROVE: 'Other people have to approve it',
  HOLD: 'It begins after a time',
};

/** What the reference says of this feature beside its declarations. */
export const POLICIES_WORDS: FeatureWords = {
  tags: {
    policies: {
      group: 'Operations',
      text: 'Who may pay what. A policy names kinds of operations and, in CEL, which of them; then denies, limits, asks for an approval or a proof, or holds them. What no policy denies or asks for is allowed.',
    },
  },
  meanings: {
    backtest_id: 'Of a back-test of a policy',
    policy_id: 'Of a policy; limits are named by it too',
    applies_to: 'The kinds of operations that a policy is about',
    when: 'An expression in CEL; without one a policy applies to all of them',
    then: 'What happens to an operation that a policy applies to: one of these',
    count: 'How many',
    per: 'Whose sum a limit is about',
    window: 'The time that a limit is about',
    roles: 'Whose admins may approve it',
    operation: 'What would be done, as policies see it',
    recipient_id: 'The same for the same recipient',
    age_h: 'Hours since the recipient was added or changed',
    country: 'Of the recipient, ISO 3166',
    verification: 'How the name of the account fits: MATCH, CLOSE_MATCH, NO_MATCH',
    is_new: 'Whether the recipient was never paid before',
    version: 'The version that was read; another one is refused with 409',
  },
  descriptions: {
    'policies.list': 'Admins see the policies of their client, the operator all of them.',
    'policies.create':
      'An expression sees `op`, `kind`, `amount_minor`, `usd_cents`, `currency`, `user`, `wallet`, `recipient`, `key`, `time`, `sums` and `metadata`. A policy that every operation of a kind would meet is refused: it would lock everybody out.',
    'policies.publish':
      'Where a client has one active admin, that one’s word takes effect after 24 hours and is mailed. An edit takes it back.',
    'policies.retire': 'The same rule of two people holds as for publishing.',
    'policies.backtest':
      'A job computes the policy again from what was observed of each recorded decision, beside what the other policies asked for then. A published policy gives what was decided; a draft shows what it would change. One of a policy at a time.',
    'policies.simulate':
      'Limits are compared with what has been used of them; nothing is counted. `unmet` is the first part of an expression that does not hold.',
  },
  values: {
    'BacktestDifference.then': VERDICTS,
    'BacktestDifference.now': VERDICTS,
    'PolicyBacktest.status': {
      PENDING: 'It is read by a job',
      READY: 'All decisions of the days were read',
      FAILED: 'It could not be finished; begin another one',
    },
  },
  places: {
    'PolicyBacktest.days': 30,
    'policies.backtest.days': 30,
    'BacktestDifference.payment_id': 'pay_06f4t3xet5c77bsdh7wedf8g8s',
    'Policy.name': 'Large payouts are approved',
    'Policy.when': 'usd_cents > 100000',
    'SimulatedPolicy.name': 'Large payouts are approved',
    'SimulatedPolicy.unmet': 'usd_cents > 100000',
  },
  origins: [
    [/^policies\.\w+\.policy_id$/, 'policies.list'],
    [/^policies\.getBacktest\.backtest_id$/, 'policies.backtest'],
    [/^policies\.simulate\.draft$/, 'policies.list'],
  ],
};
