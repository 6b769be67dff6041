import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const FIELDS = {
  posted: 'What is in the wallet, with what is set aside',
  available: 'What is in the wallet, without what is set aside',
};
const OPS = { below: 'Less than the amount', above: 'More than the amount' };

/** What the reference says of this feature beside its declarations. */
export const BALANCE_MONITORS_WORDS: FeatureWords = {
  tags: {
    balanceMonitors: {
      group: 'Fiat',
      text: 'Thresholds of a wallet’s balance. An event comes each time that the balance crosses one.',
    },
  },
  descriptions: {
    'balanceMonitors.create':
      'At most ten a wallet. `wallet.threshold_crossed` comes once for each crossing, within seconds: after a movement by which the condition holds, where it did not hold before. A condition that holds already when the monitor is added crosses once it has ceased to hold.',
    'balanceMonitors.delete': 'A crossing that was not looked at by then has no event.',
  },
  values: {
    'balanceMonitors.create.field': FIELDS,
    'balanceMonitors.create.op': OPS,
    'BalanceMonitor.field': FIELDS,
    'BalanceMonitor.op': OPS,
    'BalanceMonitor.state': {
      armed: 'The condition does not hold; the next crossing has an event',
      crossed: 'The condition holds',
    },
    'ThresholdCrossing.field': FIELDS,
    'ThresholdCrossing.op': OPS,
  },
  places: {},
  meanings: { monitor_id: 'A monitor of a wallet’s balance' },
  origins: [[/^balanceMonitors\.delete\.monitor_id$/, 'balanceMonitors.create']],
};
