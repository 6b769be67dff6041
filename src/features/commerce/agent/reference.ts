import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** This feature's words in the API reference, beside its declarations. */
export const AGENT_WORDS: FeatureWords = {
  tags: {
    agent: { group: 'Crypto', text: 'Wallets by plain words, in English or Indonesian.' },
  },
  titles: {
    'agent.process': 'Ask the wallet agent',
    'agent.health': 'Check the wallet agent',
  },
  descriptions: {
    'agent.process':
      'Users call it for their own wallets. Where something is missing the answer is 206 and names it in `missing_parameter`; before money moves the agent shows amount, coin and receiver, and acts only after a yes. What it does is what the endpoints do, with their limits and events.',
    'agent.health': 'Any logged-in user may call it. It is 503 where the agent cannot work.',
  },
  answers: [
    [/^ai_response$/, 'I can create wallets, add addresses, show balances and send.'],
    [/^missing_parameter$/, 'amount'],
  ],
  meanings: {
    user_input: 'The instruction for the agent, in English or Indonesian',
  },
};
