import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CARD_DECISION_WEBHOOK_WORDS: FeatureWords = {
  tags: {
    decisionWebhook: {
      group: 'Cards',
      title: 'Your own decisions about cards',
      text: 'Your system is asked, in real time, about each payment of a card that the rules allow. It can say no, and a smaller amount where the shop takes a part; it cannot say yes to what the rules decline.',
    },
  },
  titles: {
    'decisionWebhook.get': 'Get the decision webhook',
    'decisionWebhook.set': 'Set the decision webhook',
    'decisionWebhook.delete': 'Delete the decision webhook',
  },
  descriptions: {
    'decisionWebhook.set':
      'Each question is a POST, signed as Standard Webhooks with the decision’s id as `webhook-id`: `{type: "card_decision.requested", timestamp, data: {decision_id, card_id, transaction_id, user_id, wallet_id, kind, amount, currency, merchant, merchant_amount, merchant_currency, online, partial_allowed, timeout_at}}`. Answer 200 with `{decision: "approve" | "decline", amount?, reason?}` within `timeout_ms`. Any other answer, none, or more questions at once than your share count as no answer: `fallback` decides. The secret is in the answer that makes it, and in no other.',
    'decisionWebhook.delete':
      'A payment that your system is being asked about is decided with its answer.',
  },
  places: {
    'CardDecisionWebhook.url': 'https://example.com/card-decisions',
    'decisionWebhook.set.url': 'https://example.com/card-decisions',
  },
  meanings: {
    fallback: 'What counts where your system does not answer',
    timeout_ms: 'How long your system has for its answer, in milliseconds',
    approve_within: 'Approves up to this amount, in the card’s currency; declines the rest',
  },
};
